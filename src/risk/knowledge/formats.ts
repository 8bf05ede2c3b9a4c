/** Programs that show what a file holds: pictures, sound, documents, measurements, archives, binaries, patches. */
import type { Program, Row } from "../program.ts";

/** A driver, a service or a text in place of a file: `PG:dbname=x`, `/vsicurl/…`, `msl:x`, `@list`. */
const notFile = (names: string, but = ""): Row => ({
  names,
  if: ` (?!-)${but}([\\w+-]+:|/vsi|[<@|])`,
  operands: true,
  level: "medium",
  why: "opens more than a file",
});

/** Of programs that convert or change, what only shows. */
const shows = (names: string, list: string): Row => ({ names, words: list, level: "low", why: "only shows" });

// biome-ignore format: filled to the width
export const formatRules: readonly Program[] = [
  { id: "format.media",
    names: "mediainfo soxi mkvinfo mp4info id3info ogginfo opusinfo metaflac mp3info eyeD3 exif " +
      "jpeginfo pngcheck heif-info jxlinfo djvudump tiffinfo tiffdump gst-discoverer-1.0 gst-typefind-1.0",
    level: "low", why: "describes a file",
    options: { "path-write": "--LogFile --logfile --redirect-output" },
    rows: [
      notFile("mkvinfo gst-discoverer-1.0 mediainfo"),
      { names: "eyeD3", if: " @", level: "medium", why: "takes its options from a file" },
      { names: "soxi", if: "\\|", level: "high", why: "runs a command in place of a file" },
      { names: "mediainfo", if: " --Inform=file:", level: "medium", why: "takes a template from a file" },
      { names: "metaflac eyeD3 exif jpeginfo", level: "medium", why: "changes a file",
        words: "--remove --set-tag --remove-all-tags --delete --remove-thumbnail --remove-all" },
      { does: "read" },
    ],
    match: { high: ["soxi '|id'"], low: ["mediainfo --Output=JSON /srv/x.mkv", "soxi -D x.wav", "exif -l x.jpg",
      "pngcheck -v x.png"],
      medium: ["jpeginfo -d x.jpg", "metaflac --remove-all-tags x.flac", "mediainfo --Inform=file:///srv/x y.mkv"],
      block: ["mediainfo /etc/shadow"] } },
  { id: "format.streams", names: "ffprobe webpinfo jhead", level: "low", why: "describes a file", oneDash: true,
    options: { "path-read": "-i" },
    rows: [
      notFile("ffprobe"),
      { names: "ffprobe", if: " -i (?!-)([\\w+-]+:|[<@|])", level: "medium", why: "opens more than a file" },
      { names: "ffprobe", if: " -f (?!(mov|mp4|matroska|webm|mpegts|flv|avi|wav|mp3|ogg|flac|aac|h264|hevc)\\b)\\S",
        level: "medium", why: "opens what the format says" },
      { names: "jhead", words: "-purejpg -autorot -dt -cmd", level: "medium", why: "changes a file" },
      { does: "read" },
    ],
    match: { low: ["ffprobe -v error -show_format -of json x.mp4", "ffprobe -hide_banner -i x.mp4", "jhead x.jpg"],
      medium: ["ffprobe concat:/srv/a", "ffprobe -f lavfi x", "jhead -purejpg x.jpg"], block: ["ffprobe " +
        "/etc/shadow"] } },
  { id: "format.tags", names: "exiftool", level: "low", oneDash: true, why: "describes a file",
    rows: [
      { if: "\\|", operands: true, level: "high", why: "runs a command in place of a file" },
      { if: " -[\\w:*#]+[-+^]?<?[=<]", level: "medium", why: "changes a file" },
      { words: "-o -out -w -textOut -W -tagOut -overwrite_original -overwrite_original_in_place -tagsFromFile -@ " +
        "-execute -config -if -p -stay_open -geotag -delete_original -restore_original -api -userParam -use",
        level: "medium", why: "writes a file, or runs an expression" },
      { does: "read" },
    ],
    match: { low: ["exiftool -j -G1 x.jpg", "exiftool -CreateDate -Model x.jpg"],
      medium: ["exiftool -Artist=x y.jpg", "exiftool -w txt x.jpg"], high: ["exiftool 'id|'"],
      block: ["exiftool /etc/shadow"] } },
  { id: "format.metadata", names: "exiv2", level: "low", why: "describes a file",
    rows: [
      { if: "^ (?!(pr|print) )[a-z]{2,8} ", operands: true, level: "medium", why: "changes a file" },
      { does: "read" },
    ],
    match: { low: ["exiv2 x.jpg", "exiv2 -pa pr x.jpg"], medium: ["exiv2 -da rm x.jpg", "exiv2 delete x.jpg"],
      block: ["exiv2 pr /etc/shadow"] } },
  { id: "format.pictures", names: "gm gifsicle icotool wrestool innoextract vorbiscomment id3v2 flac sox " +
    "mkvmerge mp4dump dos2unix unix2dos mac2unix unix2mac",
    level: "medium", why: "converts or changes a file",
    rows: [
      { names: "mp4dump", level: "low", why: "describes a file" },
      shows("gifsicle", "-I --info --color-info --cinfo --extension-info --xinfo --size-info --sinfo"),
      shows("icotool wrestool", "-l --list"),
      shows("innoextract", "-l --list -t --test -i --info --list-sizes --list-checksums --list-languages " +
        "--gog-game-id -V --data-version"),
      shows("vorbiscomment", "-l --list"),
      shows("id3v2", "-l --list -R --list-rfc822 -L --list-genres -f --list-frames"),
      shows("flac", "-t --test"),
      { names: "sox", if: "\\|", level: "high", why: "runs a command in place of a file" },
      shows("sox", "--i --info"),
      { names: "sox", if: "^( -V\\d?| -q)* [^- ]\\S* (-n|--null)( stats?( -(freq|d|rms|v))?)+ $", level: "low",
        why: "measures" },
      shows("mkvmerge", "-i --identify -J -l --list-types --list-languages"),
      shows("dos2unix unix2dos mac2unix unix2mac", "-i --info"),
      { names: "gm", words: "identify version", level: "low", why: "describes a file" },
      notFile("gm"),
      { does: "read" },
    ],
    match: { high: ["sox --i '|id'"], low: ["flac -t x.flac", "gifsicle -I x.gif", "mkvmerge -J x.mkv", "dos2unix " +
      "-i x.txt"],
      medium: ["flac x.wav", "gifsicle -b x.gif", "dos2unix x.txt", "mkvmerge -o y.mkv -i x.mkv"],
      block: ["flac -t /etc/shadow"] } },
  { id: "format.image", names: "identify", level: "low", oneDash: true, why: "describes a file",
    rows: [notFile("identify"), { does: "read" }],
    match: { low: ["identify -format '%w %h' x.png"], medium: ["identify msl:x"], block: ["identify /etc/shadow"] } },
  { id: "format.documents", names: "pdfinfo pdffonts pdfimages pdfdetach pdftotext mutool antiword catdoc",
    level: "medium", why: "writes what it finds into files", options: { secret: "-opw -upw" }, oneDash: true,
    rows: [
      { names: "pdfinfo pdffonts antiword catdoc", level: "low", why: "describes a file" },
      shows("pdfimages pdfdetach", "-list"),
      { names: "pdftotext", if: " - $", operands: true, level: "low", why: "prints the text" },
      { names: "mutool", words: "info pages show", level: "low", why: "describes a file" },
      { does: "read" },
    ],
    match: { low: ["pdfinfo x.pdf", "pdfimages -list x.pdf", "pdftotext -layout x.pdf -", "mutool info x.pdf"],
      medium: ["pdftotext x.pdf", "pdfimages x.pdf y", "pdfdetach -saveall x.pdf", "mutool draw -o y.png x.pdf"],
      block: ["pdfinfo /etc/shadow"] } },
  { id: "format.maps", names: "gdalinfo ogrinfo gdallocationinfo gdalsrsinfo lasinfo pdal", level: "low", oneDash: true,
    why: "describes a data set",
    rows: [
      notFile("gdalinfo ogrinfo gdallocationinfo gdalsrsinfo", "(?!(?i:epsg|esri):\\d)"),
      { names: "ogrinfo", words: "-sql -dialect -update", level: "medium", why: "may change the data set" },
      { names: "ogrinfo", if: " -where[ =]@", level: "medium", why: "takes its query from a file" },
      { names: "gdalinfo", words: "-stats -approx_stats -hist", level: "medium", why: "writes what it counts " +
        "beside the file" },
      { names: "pdal", unless: "^ info ", level: "medium", why: "runs a pipeline" },
      { does: "read" },
    ],
    match: { low: ["gdalinfo -json x.tif", "ogrinfo -ro -so -al x.shp", "gdalsrsinfo EPSG:4326", "pdal info x.las"],
      medium: ["gdalinfo -stats x.tif", "gdalinfo PG:dbname=x", "ogrinfo x.shp -sql x", "pdal pipeline x.json"],
      block: ["gdalinfo /etc/shadow"] } },
  { id: "format.projections", names: "projinfo", level: "low",
    match: { low: ["projinfo EPSG:4326", "projinfo -s EPSG:4326 -t EPSG:3857"] } },
  { id: "format.arrays", names: "ncdump h5ls h5dump h5stat h5diff ncinfo grib_ls grib_dump grib_get grib_count " +
    "bufr_ls " +
    "bufr_dump bufr_get bufr_count fitsheader fitsinfo wgrib2 cdo ncks",
    level: "low", why: "describes a data set",
    rows: [
      { names: "cdo", level: "medium", why: "writes a data set",
        unless: "^( -s| -S| -v)* " +
          "-?(s?info[nv]?|sinfo[cnpv]?|ndate|nmon|nyear|ntime|npar|nlevel|ngridpoints|ngrids|nvar|" +
          "show(code|date|format|level|name|stdname|time|timestamp|unit|year|mon)|" +
          "griddes|zaxisdes|vlist|partab|codetab|vct|diff[nv]?) " },
      notFile("ncks cdo"),
      { names: "ncks", if: " \\S+ \\S+ $", operands: true, level: "medium", why: "writes a data set" },
      { names: "h5diff", exit: { 1: "they differ" } },
      { does: "read" },
    ],
    match: { low: ["ncdump -h x.nc", "h5ls -r x.h5", "h5dump -H x.h5", "grib_ls -p shortName x.grib", "cdo sinfo x.nc",
      "ncks -m x.nc"],
      medium: ["h5dump -o /srv/y.txt x.h5", "cdo merge a.nc b.nc c.nc", "ncks -v t in.nc out.nc"],
      block: ["ncdump /etc/shadow"] } },
  { id: "format.genomes", names: "samtools bcftools tabix seqkit", level: "medium", why: "writes a file or an index",
    rows: [
      { names: "samtools", words: "view flagstat idxstats stats depth coverage quickcheck head version", level: "low" },
      { names: "bcftools", words: "view stats query head", level: "low" },
      { names: "bcftools", if: "^ index .*(-s|--stats|-n|--nrecords) ", level: "low" },
      { names: "seqkit", words: "stats stat head fx2tab version", level: "low" },
      { names: "tabix", if: " (-l|--list-chroms|-H|--only-header) |^( -h)* (?!-)\\S+( " +
        "[\\w.]+(:[\\d,]+(-[\\d,]+)?)?)+ $",
        level: "low", why: "looks up a region" },
      { does: "read" },
    ],
    match: { low: ["samtools view -H x.bam", "samtools flagstat x.bam", "bcftools index -n x.vcf.gz", "tabix -l " +
      "x.vcf.gz",
      "bcftools query -l x.vcf.gz", "tabix x.vcf.gz chr1:1-100", "seqkit stats x.fq"],
      medium: ["samtools sort x.bam", "samtools view -o y.bam x.bam", "tabix x.vcf.gz", "bcftools index x.vcf.gz"],
      block: ["samtools view /etc/shadow"] } },
  { id: "format.archives",
    names: "zipdetails zipnote bsdcat lha arj cabextract msiinfo dumpimage mkimage binwalk sbverify dpkg-split",
    level: "medium", why: "unpacks or makes an archive",
    rows: [
      { names: "zipdetails bsdcat", level: "low", why: "lists an archive" },
      { names: "zipnote", unless: " -\\w*w", level: "low", why: "shows an archive's comments" },
      { names: "lha arj", if: "^ -?[lvt] ", level: "low", why: "lists an archive" },
      shows("cabextract", "-l --list -t --test"),
      { names: "msiinfo", words: "suminfo tables streams", level: "low", why: "describes a package" },
      shows("dumpimage mkimage", "-l --list"),
      { names: "binwalk", level: "low", why: "looks for what a file holds" },
      { names: "binwalk", words: "-e --extract -M --matryoshka -D --dd -z --carve -J --save -f --log -E --entropy -m " +
        "--magic -r --rm -C --directory", level: "medium", why: "writes what it finds" },
      shows("sbverify", "--list"), shows("dpkg-split", "-I --info"),
      { does: "read" },
    ],
    match: { low: ["cabextract -l x.cab", "binwalk x.bin", "lha l x.lzh", "mkimage -l uImage", "zipnote x.zip"],
      medium: ["cabextract x.cab", "binwalk -e x.bin", "lha x x.lzh", "zipnote -w x.zip"],
      block: ["binwalk /etc/shadow"] } },
  { id: "format.discs", names: "isoinfo isovfy pesign", level: "medium", options: { "path-read": "-i --in" },
    rows: [
      { names: "isovfy", level: "low", why: "looks over an image" },
      shows("isoinfo", "-d -l -f -p"), shows("pesign", "-S --show-signature -h --hash"),
      { does: "read" },
    ],
    match: { low: ["isoinfo -d -i x.iso", "isoinfo -l -R -i x.iso", "pesign -S -i x.efi"],
      medium: ["isoinfo -i x.iso", "isoinfo -i x.iso -x /a"], block: ["isoinfo -d -i /etc/shadow"] } },
  { id: "format.listed", names: "lsar unsquashfs", level: "low", oneDash: true,
    rows: [
      { names: "unsquashfs", unless: " -(s|stat|l|ls|ll|lls|lln|llnumeric|lc|llc|version|help|h) ", level: "medium",
        why: "unpacks an image" },
      { does: "read" },
    ],
    match: { low: ["lsar -l x.rar", "unsquashfs -ll x.squashfs"], medium: ["unsquashfs x.squashfs"],
      block: ["lsar /etc/shadow"] } },
  { id: "format.binaries",
    names: "eu-readelf eu-nm eu-size eu-elflint eu-strings eu-unstrip pahole patchelf chrpath scanelf dumpelf " +
      "lddtree " +
      "checksec",
    level: "low", why: "describes a binary",
    options: { "path-read": "--file --dir" },
    rows: [
      { names: "eu-readelf eu-nm eu-size eu-strings", if: " @", level: "medium", why: "takes its options from a file" },
      { names: "patchelf chrpath", level: "medium", why: "changes a binary",
        unless: " (--print-(interpreter|soname|rpath|needed)|--version|-l|--list|-v) " },
      { names: "eu-unstrip", unless: " (-n|--list-only) ", level: "medium", why: "writes a binary" },
      { names: "pahole", words: "-J --btf_encode --btf_encode_detached", level: "medium", why: "writes into a binary" },
      { names: "scanelf", words: "-X --fix -z --setpax -o --file", level: "medium", why: "changes a binary" },
      { does: "read" },
    ],
    match: { low: ["eu-readelf -n /usr/bin/ls", "patchelf --print-rpath x", "chrpath -l x", "pahole -C task_struct " +
      "vmlinux",
      "checksec --file=/usr/bin/ssh", "lddtree /usr/bin/ls"],
      medium: ["eu-nm @x", "patchelf --set-rpath /x y", "chrpath -d x", "pahole -J x", "scanelf -X x", "eu-unstrip " +
        "x y"],
      block: ["eu-readelf /etc/shadow", "checksec --file=/etc/shadow"] } },
  { id: "format.text",
    names: "diffstat lsdiff grepdiff filterdiff combinediff interdiff wdiff dwdiff isutf8 uchardet enca uconv " +
      "xpath xsv " +
      "sha3sum tthsum whirlpooldeep cksfv ssdeep hunspell",
    level: "low",
    rows: [
      { names: "wdiff", words: "-a --auto-pager -p --printer -t --terminal", level: "medium", why: "starts a pager" },
      { names: "lsdiff grepdiff filterdiff", words: "--filter --list --grep --in-place -f --file", level: "medium" },
      { names: "enca", words: "-x --convert-to -c --auto-convert -E --external-converter-program -C --try-converters",
        level: "medium", why: "rewrites what it is given" },
      { names: "xsv", words: "split partition index", level: "medium", why: "writes files" },
      { names: "hunspell", unless: " (-[lGLD]|-v|-vv|--version|-h|--help) ", level: "medium", why: "asks what to " +
        "correct" },
      { names: "wdiff dwdiff", exit: { 1: "they differ" } }, { names: "isutf8", exit: { 1: "not UTF-8" } },
      { does: "read" },
    ],
    match: { low: ["diffstat x.patch", "lsdiff x.patch", "wdiff -s a b", "uchardet x.txt", "xsv stats x.csv",
      "hunspell -l x.txt"],
      medium: ["wdiff -a a b", "enca -x utf8 x.txt", "xsv split x y.csv", "hunspell x.txt",
        "uconv -f latin1 -o /srv/y x", "grepdiff --in-place x y"],
      block: ["uchardet /etc/shadow"] } },
  { id: "format.duplicates", names: "fdupes jdupes duff compsize diskus dua dutree gdu", level: "low",
    rows: [
      { names: "fdupes jdupes", level: "high", why: "deletes files",
        words: "-d --delete -N --noprompt --no-prompt -L --link-hard -l --link-soft -B --dedupe -I --immediate" },
      { names: "dua", words: "i interactive", level: "medium", why: "takes the terminal, and deletes" },
      { names: "gdu", unless: " (-n|--non-interactive|-v|--version|-h|--help) ", level: "medium",
        why: "takes the terminal, and deletes" },
      { does: "stat" },
      { names: "fdupes jdupes", if: "^(-[a-zA-Z]*r[a-zA-Z]*|--recurse)$", is: "walks" },
      { names: "compsize diskus dua dutree gdu", is: "walks" },
    ],
    match: { low: ["fdupes -rS /srv", "compsize /srv/x", "dua /srv", "gdu -n /srv"], medium: ["dua i /srv", "gdu /srv"],
      high: ["fdupes -dN /srv"] } },
];
