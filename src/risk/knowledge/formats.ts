/** Programs that show what a file holds: pictures, sound, documents, measurements, archives, binaries, patches. */
import type { Program, Row } from "../program.ts";
import type { ReadTable } from "../reads.ts";
import { onlyShows } from "./facts.ts";

/** A driver, a service or a text in place of a file: `PG:dbname=x`, `/vsicurl/…`, `msl:x`, `@list`. */
const notFile = (names: string, but = ""): Row => ({
  names,
  if: ` (?!-)${but}([\\w+-]+:|/vsi|[<@|])`,
  operands: true,
  level: "medium",
  why: "opens more than a file",
});

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
      onlyShows("gifsicle", "-I --info --color-info --cinfo --extension-info --xinfo --size-info --sinfo"),
      onlyShows("icotool wrestool", "-l --list"),
      onlyShows("innoextract", "-l --list -t --test -i --info --list-sizes --list-checksums --list-languages " +
        "--gog-game-id -V --data-version"),
      onlyShows("vorbiscomment", "-l --list"),
      onlyShows("id3v2", "-l --list -R --list-rfc822 -L --list-genres -f --list-frames"),
      onlyShows("flac", "-t --test"),
      { names: "sox", if: "\\|", level: "high", why: "runs a command in place of a file" },
      onlyShows("sox", "--i --info"),
      { names: "sox", if: "^( -V\\d?| -q)* [^- ]\\S* (-n|--null)( stats?( -(freq|d|rms|v))?)+ $", level: "low",
        why: "measures" },
      onlyShows("mkvmerge", "-i --identify -J -l --list-types --list-languages"),
      onlyShows("dos2unix unix2dos mac2unix unix2mac", "-i --info"),
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
      onlyShows("pdfimages pdfdetach", "-list"),
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
      onlyShows("cabextract", "-l --list -t --test"),
      { names: "msiinfo", words: "suminfo tables streams", level: "low", why: "describes a package" },
      onlyShows("dumpimage mkimage", "-l --list"),
      { names: "binwalk", level: "low", why: "looks for what a file holds" },
      { names: "binwalk", words: "-e --extract -M --matryoshka -D --dd -z --carve -J --save -f --log -E --entropy -m " +
        "--magic -r --rm -C --directory", level: "medium", why: "writes what it finds" },
      onlyShows("sbverify", "--list"), onlyShows("dpkg-split", "-I --info"),
      { does: "read" },
    ],
    match: { low: ["cabextract -l x.cab", "binwalk x.bin", "lha l x.lzh", "mkimage -l uImage", "zipnote x.zip"],
      medium: ["cabextract x.cab", "binwalk -e x.bin", "lha x x.lzh", "zipnote -w x.zip"],
      block: ["binwalk /etc/shadow"] } },
  { id: "format.discs", names: "isoinfo isovfy pesign", level: "medium", options: { "path-read": "-i --in" },
    rows: [
      { names: "isovfy", level: "low", why: "looks over an image" },
      onlyShows("isoinfo", "-d -l -f -p"), onlyShows("pesign", "-S --show-signature -h --hash"),
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

// What only reads of them.

const grib = "-7 -V -x -f -g -G -M -p= -P= -F= -l= -n= -w= -i= -X=";
const pdf = "-f= -l= -opw= -upw= -v -h -help --help -?";
const map = "--version --formats --format= --help-general";
const patch =
  "-p= --strip-match= --strip= -E -z --decompress -H --with-filename -h --no-filename -i= --include= " +
  "-x= --exclude= -#= --hunks= --lines= -F= --files= -n --line-number -N --number-files -v --verbose --help --version";

// biome-ignore format: filled to the width
export const formatReads: ReadTable = {
  // Sound and pictures.
  mediainfo: { options: "--Help -h --Help-Inform --Help-AnOption --Version --Full -f --Output= --Inform= " +
    "--Info-Parameters " +
    "--Language= --help --version --full --output= --inform=" },
  ffprobe: { options: "-L -h -? -help --help -version -buildconf -formats -demuxers -muxers -devices -codecs " +
    "-decoders " +
    "-encoders -bsfs -protocols -filters -pix_fmts -sample_fmts -layouts -dispositions -colors -loglevel= -v= " +
    "-hide_banner " +
    "-f= -unit -prefix -byte_binary_prefix -sexagesimal -pretty -of= -print_format= -output_format= -sections " +
    "-select_streams= -show_data -show_data_hash= -show_error -show_format -show_format_entry= -show_entries= " +
    "-show_packets " +
    "-show_frames -show_log= -show_streams -show_programs -show_chapters -count_frames -count_packets " +
    "-read_intervals= " +
    "-show_private_data -private -show_program_version -show_library_versions -show_versions -show_pixel_formats " +
    "-show_optional_fields= -bitexact -i= -analyzeduration= -probesize=" },
  soxi: { options: "-V -V1 -V2 -V3 -T -t -r -c -s -d -D -b -B -p -e -a" },
  sox: { options: "--i --info -n --null -q -rms -freq -v -V -T -t -r -c -s -d -D -b -B -p -e -a --version --help -h" },
  mkvinfo: { options: "-a --all -c --checksums -o --continue -p --hex-positions -P --positions -s --summary -t " +
    "--track-info " +
    "-x --hexdump -X --full-hexdump -z --size -v --verbose -h --help -V --version --ui-language= --output-charset=" },
  mkvmerge: { options: "-i --identify -J -F= --identification-format= --probe-range-percentage= -l --list-types " +
    "--list-languages -v --verbose -q --quiet -V --version -h --help --ui-language= --output-charset=" },
  mp4info: { options: "--verbose --format= --show-layout --show-samples --fast" },
  mp4dump: { options: "--verbosity= --format=" },
  id3info: { options: "-h --help -v --version" },
  id3v2: { options: "-h --help -f --list-frames -L --list-genres -v --version -l --list -R --list-rfc822" },
  eyeD3: { options: "-h --help --version --no-config --no-color -v --verbose -1 --v1 -2 --v2 -l= --log-level=" },
  ogginfo: { options: "-h -q -v" },
  opusinfo: { options: "-h -q -v -V" },
  vorbiscomment: { options: "-l --list -R --raw -e --escapes -h --help -V --version" },
  metaflac: { options: "--with-filename --no-filename --no-utf8-convert --show-md5sum --show-min-blocksize " +
    "--show-max-blocksize --show-min-framesize --show-max-framesize --show-sample-rate --show-channels --show-bps " +
    "--show-total-samples --show-vendor-tag --show-all-tags --show-tag= --list --block-number= --block-type= " +
    "--except-block-type= " +
    "--data-format= --application-data-format= --version --help --export-tags-to=-" },
  flac: { options: "-t --test -s --silent --totally-silent -w --warnings-as-errors -F --decode-through-errors -v " +
    "--version -h " +
    "--help -H --explain" },
  mp3info: { options: "-G -h -x -r= -f -F -p=" },
  exif: { options: "-v --version -i --ids -t= --tag= --ifd= -l --list-tags -s --show-description --no-fixup -m " +
    "--machine-readable -w= --width= -x --xml-output -d --debug -? --help --usage" },
  jhead: { options: "-h -v -q -V -se -c -exonly -model=" },
  jpeginfo: { options: "-c --check -C --comments -h --help -H --header -2 --sha256 --sha512 -5 --md5 -i --info -j " +
    "--json -l " +
    "--lsstyle -v --verbose -V --version -q --quiet -s --csv" },
  pngcheck: { options: "-7 -c -q -s -t -v -p -f" },
  webpinfo: { options: "-version -quiet -diag -summary -bitstream_info -h -help -H -longhelp" },
  "heif-info": { options: "-d --dump-boxes -h --help" },
  jxlinfo: { options: "-v -h --help" },
  djvudump: {},
  tiffinfo: { options: "-c -D -d -j -o= -s -z -h -i -r -w" },
  tiffdump: { options: "-h -m= -o=" },
  "gst-discoverer-1.0": { options: "-v --verbose -t= --timeout= --toc -h --help --version --use-cache=false " +
  "--gst-version" },
  "gst-typefind-1.0": { options: "-h --help --version --gst-version" },
  exiftool: { options: "-a -c= -coordFormat= -d= -dateFormat= -e -ee -ee2 -ee3 -ext= -f -fast -fast2 -fast3 " +
    "-fast4 -g -g0 -g1 " +
    "-g2 -g3 -g4 -G -G0 -G1 -G2 -G3 -G4 -h -htmlFormat -H -i= -ignore= -j -json -l -long -L -lang= -charset= " +
    "-m -n -q -r -r. -recurse -s -s1 -s2 -s3 -short -S -sort -struct -t -tab -T -table -u -U -unknown -v -v0 " +
    "-v1 -v2 -v3 -v4 -v5 -validate -ver -x= -X -xmlFormat -list -listf -listr -listwf -listg -progress -csv " +
    "-php -args -AllDates -Artist -Author -BitDepth -ColorSpace -Compression -Copyright -CreateDate -Creator " +
    "-DateTimeOriginal -Directory -Duration -Encoding -FileModifyDate -FileName -FileSize -FileType " +
    "-FileTypeExtension -GPSAltitude -GPSLatitude -GPSLongitude -GPSPosition -ImageHeight -ImageSize " +
    "-ImageWidth -Keywords -LensModel -MIMEType -Make -Megapixels -Model -ModifyDate -Orientation -PageCount " +
    "-PDFVersion -Producer -Rotation -SerialNumber -Software -Subject -Title -Warning -Error -XResolution " +
    "-YResolution -VideoFrameRate -AvgBitrate -all:all -EXIF:all -GPS:all -IPTC:all -XMP:all -ICC_Profile:all " +
    "-File:all -Composite:all -Common -all -time:all -Time:all" },
  exiv2: { options: "-h --help -V --version -v --verbose -q --quiet -Q= -u --unicode -b --binary -g= --grep= -K= " +
    "--key= -n= " +
    "--encode= -p= --print= -pa -ps -pe -pt -pv -ph -pi -px -pc -pp -pC -pR -pS -pX -P= --Print= -k --keep" },
  identify: { options: "-alpha= -antialias -channel= -colorspace= -density= -depth= -features= -format= -limit " +
    "-list= -moments " +
    "-monitor -ping -precision= -quiet -regard-warnings -size= -unique -units= -verbose -help -version --version" },
  gm: { options: "-format= -ping -verbose -density= -depth= -size= -help " +
    "-version", sub: { identify: {}, version: {} } },
  gifsicle: { options: "-I --info --color-info --cinfo --extension-info --xinfo --size-info --sinfo -h --help " +
    "--version -w " +
    "--no-warnings --no-ignore-errors" },
  icotool: { options: "-l --list -i= --index= -w= --width= -h= --height= -b= --bit-depth= -p= --palette-size= " +
    "--icon --cursor " +
    "--help --version" },
  wrestool: { options: "-l --list -t= --type= -n= --name= -L= --language= -v --verbose --help --version" },
  // Documents.
  pdfinfo: { options: `${pdf} -box -meta -custom -js -struct -struct-text -url -isodates -rawdates -dests -enc= ` +
    `-listenc` },
  pdffonts: { options: `${pdf} -subst` },
  pdfimages: { options: `${pdf} -list -p` },
  pdfdetach: { options: "-list -enc= -opw= -upw= -v -h -help --help -?" },
  pdftotext: { options: `${pdf} -r= -x= -y= -W= -H= -layout -fixed= -raw -nodiag -htmlmeta -bbox -bbox-layout -tsv ` +
    `-cropbox -colspacing= -enc= -listenc -eol= -nopgbrk -q` },
  mutool: { options: "-v", sub: { info: { options: "-p= -F -I -M -P -S -X" }, pages: { options: "-p=" },
    show: { options: "-p= -b -e -g" } } },
  antiword: { options: "-h -t -f -w= -m= -r -s" },
  catdoc: { options: "-a -b -l -s= -d= -t -u -v -V -w -x -8 -m=" },
  // Maps and measurements.
  gdalinfo: { options: `${map} -json -mm -nogcp -nomd -norat -noct -nofl -nomask -checksum -listmdd -mdd= ` +
    `-wkt_format= -proj4 ` +
    `-sd= -if=` },
  ogrinfo: { options: `${map} -ro -al -rl -so -q -json -features -where= -geomfield= -fid= -fields= -geom= -nomd ` +
    `-nocount ` +
    `-noextent -nogeomtype -listmdd -mdd= -fielddomain= -wkt_format= -limit= -if=` },
  gdallocationinfo: { options: `${map} -b= -l_srs= -xml -lifonly -valonly -overview= -geoloc -wgs84` },
  gdalsrsinfo: { options: `${map} --single-line -V -e -o=` },
  projinfo: { names: /^(?!@|.*\/)/, options: "-o= -s= -t= --spatial-test= --crs-extent-use= --grid-check= " +
    "--pivot-crs= " +
    "--show-superseded --allow-ellipsoidal-height-as-vertical-crs --boundcrs-to-wgs84 --authority= --identify " +
    "--c-ify " +
    "--searchpaths --list-crs= -k= --summary -q --area= --bbox= --hide-ballpark --accuracy= --3d --single-line" },
  lasinfo: { options: "-i= -v -nv -nmm -nr -nc -nco -nh -h -version" },
  pdal: { options: "--summary --metadata --stats --schema --boundary --version -p= --point= --query= -i= --input= " +
    "--all " +
    "--dimensions= --enumerate= --breakout --count=", sub: { info: {} } },
  ncdump: { options: "-c -h -v= -b= -f= -l= -n= -p= -k -s -t -i -g= -w -x" },
  h5ls: { options: "-h -? --help -a --address -d --data -e --errors -f --full -g --group -l --label -r " +
    "--recursive -s --string -S " +
    "--simple -v --verbose -V --version -x --hexdump --follow-symlinks -wN -w=" },
  h5dump: { options: "-h --help -V --version -B --superblock -H --header -A --onlyattr -i --object-ids -r " +
    "--string -y --noindex " +
    "-m= --format= -n --contents -a= --attribute= -d= --dataset= -g= --group= -l= --soft-link= -t= --datatype= -N= " +
    "--any_path= -w= --width= -p --properties -e --escape -R --region -x --xml -s= --start= -S= --stride= -c= " +
    "--count= " +
    "-k= --block= -q= --sort_by= -z= --sort_order=" },
  h5stat: { options: "-h --help -V --version -f --file -F --filemetadata -g --group -G --groupmetadata -d --dset -D " +
    "--dsetmetadata -T --dtypemetadata -A --attribute -s --freespace -S --summary -l= --links=" },
  h5diff: { options: "-h --help -V --version -r --report -v --verbose -q --quiet -c --compare -n= --count= -d= " +
    "--delta= -p= " +
    "--relative= --use-system-epsilon" },
  ncinfo: { options: "-v= -g= -c -h --help" },
  "grib_ls bufr_ls": { options: `${grib} -j -m -B= -W=` },
  "grib_dump bufr_dump": { options: `${grib} -O -a -j -D -t -h -H -d -u` },
  "grib_get bufr_get": { options: `${grib} -m` },
  "grib_count bufr_count": { options: "-v -f" },
  fitsheader: { options: "-e= --extension= -k= --keyword= -t -f --fitsort -c --compressed -h --help --version" },
  fitsinfo: { options: "-h --help --version" },
  wgrib2: { options: "-s -S -v -v2 -V -d= -match= -not= -var -lev -ftime -t -n -nxny -grid -min -max -stats -version" },
  cdo: { names: true, options: "-s -S -v -V --version -h --help -info -infon -sinfo -sinfon -sinfov -showname " +
    "-ntime -griddes" },
  ncks: { options: "-M -m -H -C -q -u --cdl --json --xml --trd -v= -d= -r --version" },
  samtools: { options: "--version --help", sub: {
    view: { options: "-H --header-only -h --with-header -c --count -q= --min-MQ= -f= --require-flags= -F= " +
      "--excl-flags= " +
      "--exclude-flags= -G= -r= --read-group= -s= --subsample= -m= -e= --expr= -@= --threads= -l= --library= -d= " +
      "--tag= -? -S -b --bam -u -1" },
    flagstat: { options: "-@= --threads= -O= --output-fmt=" },
    idxstats: { options: "-@= --threads= -X" },
    stats: { options: "-@= --threads= -F= -f= -d --remove-dups -q= -x -s" },
    depth: { options: "-a -aa -H -q= -Q= -r= -d= -J -s -G= -g=" },
    coverage: { options: "-m --histogram -D -A --ascii -w= --n-bins= -r= --region= -q= --min-MQ= -Q= --min-BQ= -H " +
      "--no-header" },
    quickcheck: { options: "-v -q -u" }, head: { options: "-h= --headers= -n= --records= -@=" }, version: {} } },
  bcftools: { options: "--version --help -h", sub: {
    view: { options: "-h --header-only -H --no-header -G --drop-genotypes -r= --regions= -s= --samples= -t= " +
      "--targets= -i= " +
      "--include= -e= --exclude= -f= --apply-filters= -m= -M= -v= --types= -V= -a -c= -C= -q= -Q= -O= " +
      "--output-type= --no-version --threads=" },
    stats: { options: "-r= --regions= -s= --samples= -t= --targets= -i= --include= -e= --exclude= -f= " +
      "--apply-filters= " +
      "-d= --depth= -v --verbose --threads=" },
    query: { options: "-f= --format= -H --print-header -i= --include= -e= --exclude= -l --list-samples -r= " +
      "--regions= -s= " +
      "--samples= -t= --targets= -u" },
    head: { options: "-h= --headers= -n= --records=" }, index: { options: "-n --nrecords -s --stats -a --all" } } },
  tabix: { options: "-h --print-header -H --only-header -l --list-chroms --version --help" },
  seqkit: { options: "-a --all -T --tabular -b --basename -j= --threads= -t= --seq-type= -n= --number= -h --help -w= " +
    "--line-width= -l --length -g --gc", sub: { "stats stat head fx2tab version": {} } },
  // Archives and images.
  lsar: { options: "-l -long -L -verylong -t -test -e= -encoding= -pe -print-encoding -j -json -ja -json-ascii -nr " +
    "-no-recursion -h -help -v -version" },
  zipdetails: { options: "-h --redact --scan --utc -v --version" },
  zipnote: { options: "-h -v -L" },
  bsdcat: { options: "-h --help --version" },
  lha: { options: "-v -q -g" },
  arj: { options: "-y -r -a" },
  cabextract: { options: "-l --list -t --test -q --quiet -F= --filter= -s --single -v --version -h --help" },
  msiinfo: { options: "-h --help -v --version", sub: { "suminfo tables streams": {} } },
  unsquashfs: { options: "-v -version -s -stat -l -ls -ll -lls -lln -llnumeric -lc -llc -h -help -q -quiet -n " +
    "-no-progress -UTC " +
    "-max-depth= -o= -offset= -mkfs-time -fstime" },
  isoinfo: { options: "-d -f -i= -l -p -R -J -j= -N= -T= -h -help --version" },
  isovfy: { options: "-i= -h --version" },
  dumpimage: { options: "-l --list -T= -h -V" },
  mkimage: { options: "-l --list -h --help -V --version -q --quiet -v --verbose" },
  binwalk: { options: "-B --signature -A --opcodes -I --invalid -x= --exclude= -y= --include= -l= --length= -o= " +
    "--offset= -O= " +
    "--base= -t --term -w --terse -W --hexdump -G --green -i --red -U --blue -q --quiet -v --verbose -h --help" },
  sbverify: { options: "--list --version --help -h" },
  pesign: { options: "-S --show-signature -h --hash -i= --in= -d= --digest_type= -P --padding" },
  "dpkg-split": { options: "-I --info --help -? --version" },
  // Binaries.
  "eu-readelf": { options: "-a --all -h --file-header -l --program-headers --segments -S --section-headers " +
  "--sections -g " +
    "--section-groups -e --exception -s --syms --symbols --dyn-syms -n --notes -r --relocs -d --dynamic -V " +
    "--version-info -A " +
    "--arch-specific -x= --hex-dump= -p= --string-dump= -z --decompress -c --archive-index -I --histogram -v " +
    "--version -W " +
    "--wide -H --help -N --numeric-addresses -U --unresolved-address-offsets --elf-section" },
  "eu-nm": { options: "-a --debug-syms -A --print-file-name -o -B -C --demangle -D --dynamic -f= --format= -g " +
  "--extern-only -n " +
    "--numeric-sort -P --portability -p --no-sort -r --reverse-sort -S --print-size -s --print-armap " +
    "--defined-only -t= " +
    "--radix= -u --undefined-only -V --version -? --help --mark-special" },
  "eu-size": { options: "-A -B --format= -d -o -x --radix= -t --totals -V --version -? --help -f -F" },
  "eu-elflint": { options: "-d --debuginfo --gnu-ld --strict -q --quiet -V --version -? --help" },
  "eu-strings": { options: "-a --all -e= --encoding= -f --print-file-name -n= --bytes= -o -t= --radix= -V " +
  "--version -? --help" },
  "eu-unstrip": { options: "-n --list-only -e= --executable= -V --version -? --help" },
  pahole: { options: "-a --anon_include -A --nested_anon_include -B= --bit_holes= -c= --cacheline_size= -C= " +
    "--class_name= -d " +
    "--recursive -D --decl_exclude= -E --expand_types -e --expand_pointers -f= --find_pointers_to= -H= --holes= " +
    "-i= --contains= " +
    "-l --show_first_biggest_size_base_type_member -m --nr_methods -M --show_only_data_members -n --nr_members -N " +
    "--class_name_len -p --expand_pointers -P --packable -q --quiet -R --reorganize -s --sizes -S " +
    "--show_reorg_steps -t " +
    "--separator= -T --nr_definitions -u --defined_in -V --verbose -x= --exclude= -y= --prefix_filter= -z= " +
    "--hole_size_ge= " +
    "--hex --version -? --help -F= --format_path=" },
  patchelf: { options: "--print-interpreter --print-soname --print-rpath --print-needed --version --help" },
  chrpath: { options: "-l --list -v --version -h --help -k --keepgoing" },
  scanelf: { options: "-A --archives -a --all -B --nobanner -b --bind -D --endian -E= --etype= -e --header -F= " +
    "--format= -g " +
    "--gmatch -h --help -I --osabi -i --interp -k= --section= -L --ldcache -l --ldpath -M= --bits= -m --mount -N= " +
    "--lib= -n " +
    "--needed -O= --perms= -p --path -q --quiet -R --recursive -r --rpath -S --soname -s= --symbol= -T --textrels " +
    "-t --textrel " +
    "-V --version -v --verbose -x --pax -Y --eabi -y --symlink -Z= --size= --use-ldpath" },
  dumpelf: { options: "-h --help -V --version -v --verbose" },
  lddtree: { options: "-a --all -l --list -x --debug -h --help -V --version --no-auto-root" },
  checksec: { options: "--proc-libs= --fortify-proc= " +
    "--file= --dir= --proc= --proc-all --kernel --format= --output= --extended --verbose -h " +
    "--help -v " +
    "--version -d --debug" },
  // Text.
  diffstat: { options: "-b -c -C -E -f= -h -k -K -l -m -n= -N= -p= -q -r= -R -s -t -T -u -v -V -w=" },
  lsdiff: { options: `${patch} -s --status --addprefix= --addoldprefix= --addnewprefix=` },
  grepdiff: { options: `${patch} -s --status --extended-regexp --output-matching= --only-match= --annotate --format= ` +
    `--as-numbered-lines= --remove-timestamps` },
  filterdiff: { options: `${patch} --annotate --format= --as-numbered-lines= --remove-timestamps --clean` },
  "interdiff combinediff": { options: "-h -p= --strip-match= -q --quiet -U= --unified= -d= --drop-context= -i " +
  "--ignore-case -w " +
    "--ignore-all-space -b --ignore-space-change -B --ignore-blank-lines -z --decompress --no-revert-omitted " +
    "--help --version" },
  dwdiff: { options: "-1 --no-deleted -2 --no-inserted -3 --no-common -i --ignore-case -n --avoid-wraps " +
  "-s --statistics " +
    "-v --version -h --help -w= --start-delete= -x= --stop-delete= -y= --start-insert= -z= --stop-insert=" },
  wdiff: { options: "-1 --no-deleted -2 --no-inserted -3 --no-common -i --ignore-case -n --avoid-wraps " +
  "-s --statistics " +
    "-v --version -h --help -w= --start-delete= -x= --stop-delete= -y= --start-insert= -z= --stop-insert= " +
      "--copyright -d --diff-input -l --less-mode --end-delete= --end-insert=" },
  isutf8: { options: "-h --help -q --quiet -l --list -i --invert -v --verbose" },
  uchardet: { options: "-v -h --version --help" },
  enca: { options: "-g --guess -d --details -e --enca-name -f --human-readable -i --iconv-name -r --rfc1345-name " +
    "-m --mime-name " +
    "-s --cstocs-name -n= --name= -L= --language= -p --with-filename -P --no-filename -V --verbose -h --help -G " +
    "--license " +
    "-l= --list= -v --version" },
  uconv: { options: "-f= --from-code= -t= --to-code= -l --list --list-code= --default-code -L " +
    "--list-transliterators -c " +
    "--canon -x= --transliterate= -h --help -V --version -s --silent -v --verbose -i" },
  xpath: { options: "-e= -q -s= -p= -n" },
  xsv: { options: "-d= --delimiter= -n --no-headers -j --just-names -s= --select= -l= --limit= -a --asc -i= --index= " +
    "--everything --mode --cardinality --median --nulls -e= --end= --start= --len= -v --invert-match -N -R --reverse " +
    "-h --help --version", sub: {
    "count headers stats frequency select search slice table sample sort flatten fixlengths fmt cat": {} } },
  "sha3sum tthsum whirlpooldeep": { options: "-a= --algorithm= -c --check -q -r -h --help -v --version" },
  cksfv: { options: "-v -q -i -r" },
  ssdeep: { options: "-v -p -r -g -s -b -l -c -a -t= -h -V " +
      "-d" },
  hunspell: { options: "-d= -D -G -l -L -H -t -n -X -O -1 -w -v -vv --version -h --help -i=" },
  // Duplicates and sizes.
  fdupes: { options: "-P --plain " +
    "-r --recurse -R -s --symlinks -H --hardlinks -G= --minsize= -L= --maxsize= -n --noempty -A " +
    "--nohidden -f " +
    "--omitfirst -1 --sameline -S --size -t --time -m --summarize -q --quiet -p --permissions -o= --order= -i " +
    "--reverse -v " +
    "--version -h --help" },
  jdupes: { options: "-@ --loud -0 --print-null -1 --one-file-system -A --no-hidden -C= --chunk-size= -f " +
    "--omit-first -H " +
    "--hard-links -h --help -i --reverse -m --summarize -M --print-summarize -O --param-order -o= --order= -p " +
    "--permissions -q " +
    "--quiet -r --recurse -R -S --size -s --symlinks -u --print-unique -v --version -X= --ext-filter= -z " +
    "--zero-match -j --json" },
  duff: { options: "-0 -H -L -P -a -d= -e -f= -h -l= -q -p -r -t -v -z" },
  compsize: { options: "-b --bytes -x --one-file-system -h --help" },
  diskus: { options: "-j= --threads= -b --apparent-size --size-format= -v --verbose -h --help -V --version" },
  dua: { options: "-t= --threads= -f= --format= -A --apparent-size -l --count-hard-links -x --stay-on-filesystem " +
    "-h --help -V " +
    "--version --stats --no-total --no-sort", sub: { "*": {}, "aggregate a": {} } },
  dutree: { options: "-d? --depth= -a= --aggr= -s --summary -u --usage -b --bytes -f --files-only -x= --exclude= -H " +
    "--no-hidden -A --ascii -h --help -v --version" },
  gdu: { options: "-n --non-interactive -p --no-progress -s --summarize -a --show-apparent-size -c --no-color -x " +
    "--no-cross -H " +
    "--no-hidden -d --show-disks -i= --ignore-dirs= -t= --top= --si --no-prefix -v --version -h --help" },
};
