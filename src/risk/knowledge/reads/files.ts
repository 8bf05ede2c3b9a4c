/** What only reads of the programs that look at files, folders and archives. */
import type { ReadTable } from "../../reads.ts";

export const fileReads: ReadTable = {
  cpio: {
    names: true,
    options:
      "-t --list -i -v --verbose -n --numeric-uid-gid --quiet -H= --format= -c -B -b -s -S --block-size= --version",
  },
  "ls dir vdir": {
    options:
      "-1 -A -a --all --almost-all --author -B -b --block-size= -C -c --classify --color --context -D -d " +
      "--dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory --dired " +
      "--escape -F -f --file-type --format= --full-time -G -g --group-directories-first -H -h --help --hide= " +
      "--hide-control-chars --human-readable --hyperlink -I= -i --ignore= --ignore-backups --indicator-style= --inode " +
      "-k --kibibytes -L -l --literal -m -N -n --no-group --numeric-uid-gid -o -p -Q -q --quote-name --quoting-style= " +
      "-R -r --recursive --reverse -S -s --show-control-chars --si --size --sort= -T= -t --tabsize= --time= " +
      "--time-style= -U -u -v --version -w= --width= -X -x -Z --zero",
  },
  stat: {
    options: "-c= --cached= --dereference -f --file-system --format= --help -L --printf= -t --terse --version",
  },
  du: {
    options:
      "-0 -a --all --apparent-size -B= -b --block-size= --bytes -c --count-links -D -d= --dereference " +
      "--dereference-args --exclude= -H -h --help --human-readable --inodes -k -L -l -m --max-depth= --no-dereference " +
      "--null --one-file-system -P -S -s --separate-dirs --si --summarize -t= --threshold= --time --time-style= " +
      "--total --version -x",
  },
  dust: {
    options:
      "-b -c -d= -D -f -F -H -h -i -I= -n= -o= -p -P -r -s -S= -t -v= -e= -w= -x -X= -z= --depth= --number-of-lines= --reverse " +
      "--apparent-size --full-paths --limit-filesystem --no-percent-bars --no-progress --only-dir --only-file --version --help",
  },
  df: {
    options:
      "-a --all -B= --block-size= --exclude-type= -H -h --help --human-readable -i --inodes -k -l --local --no-sync " +
      "--output -P --portability --print-type --si -T -t= --total --type= -v --version -x=",
  },
  tree: {
    options:
      "-A -a -C -c --charset= -D -d --device --dirsfirst --du -F -f --filelimit= --filesfirst -g --gitignore -h " +
      "--help -I= -i --ignore-case --inodes -J -L= -l --matchdirs --metafirst -N -n --nolinks --noreport -P= -p " +
      "--prune -Q -q -r -S -s --si --sort= -t --timefmt= -U -u -v --version -X -x",
  },
  readlink: {
    options:
      "--canonicalize --canonicalize-existing --canonicalize-missing -e -f --help -m -n --no-newline -q --quiet -s " +
      "--silent -v --verbose --version -z --zero",
  },
  realpath: {
    options:
      "--canonicalize-existing --canonicalize-missing -e --help -L --logical -m --no-symlinks -P --physical -q " +
      "--quiet --relative-base= --relative-to= -s --strip --version -z --zero",
  },
  basename: { options: "-a --help --multiple -s= --suffix= --version -z --zero" },
  dirname: { options: "--help --version -z --zero" },
  pwd: { options: "--help -L --logical -P --physical --version" },
  lsattr: { options: "-a -d -l -p -R -V -v" },
  getfacl: {
    options:
      "-a --absolute-names --access --all-effective -c -d --default -E -e -h --help -L --logical -n --no-effective " +
      "--numeric --omit-header -P -p --physical -R --recursive -s --skip-base -t --tabular -v --version",
  },
  namei: {
    options: "-h --help -l --long -m --modes --mountpoints -n --nosymlinks -o --owners -V -v --version --vertical -x",
  },
  "exa eza": {
    options:
      "-1 -? -@ -a --accessed --across --all -B -b --binary --blocks --bytes --changed --classify --color= " +
      "--color-scale --colour= --colour-scale --created -D -d --extended -F -G -g --git --git-ignore --grid --group " +
      "--group-directories-first -H -h --header --help -I= -i --icons --ignore-glob= --inode -L= -l --level= --links " +
      "--list-dirs --long -m --modified -n --no-filesize --no-icons --no-permissions --no-time --no-user --numeric " +
      "--oneline --only-dirs -R -r --recurse --reverse -S -s= --sort= -T -t= --time= --time-style= --tree -U -u -v " +
      "--version -x",
  },
  lsd: {
    options:
      "-1 -A -a --all --almost-all --blocks= --classic --classify --color= --context -d --date= --depth= " +
      "--dereference --directory-only --extensionsort -F --group-directories-first --group-dirs= -h --help " +
      "--human-readable --hyperlink= -I= -i --icon= --icon-theme= --ignore-config --ignore-glob= --inode -L -l --long " +
      "--no-sort --no-symlink --oneline --permission= -R -r --recursive --reverse -S --size= --sizesort --sort= -t " +
      "--timesort --total-size --tree -U -V -v --version --versionsort -X -Z",
  },
  mount: { options: "-h --help -l --show-labels -t= --types= -V -v --verbose --version" },
  getcap: { options: "-h -n -r -v" },
  ncdu: {
    options:
      "-0 -1 -2 --apparent-size --color= --cross-file-system --disk-usage -e --exclude= --exclude-caches " +
      "--exclude-kernfs --extended --fast-ui-updates -h --help --hide-hidden --ignore-config --include-caches " +
      "--include-kernfs --no-extended --no-si -o=- --one-file-system -q -r --show-hidden --show-itemcount --show-mtime " +
      "--show-percent --si --slow-ui-updates --sort= -V -v --version -x",
  },
  duf: {
    options:
      "--all --avail-threshold= --hide= --hide-fs= --hide-mp= --inodes --json --only= --only-fs= --only-mp= --output= " +
      "--sort= --style= --theme= --usage-threshold= --version --warnings --width=",
  },
  pathchk: { options: "--help -P -p --portability --version" },
  mountpoint: { options: "-d --devno --fs-devno -h --help --nofollow -q --quiet -V --version -x" },
  findmnt: {
    options:
      "-A -a --all --ascii -b --bytes -C -c --canonicalize -D -d= --deleted --df --direction= -e --evaluate -f " +
      "--first-only --fstab -h --help -i --invert -J --json -k --kernel -l --list -M= -m --mountpoint= --mtab -N= --task= -n " +
      "--nocanonicalize --nofsroot --noheadings --notruncate -O= -o= --options= --output= --output-all -P --pairs " +
      "--pseudo -R -r --raw --real -S= -s --shadow --shadowed --shell --source= --submounts -T= -t= --target= --tree " +
      "--types= -U -u --uniq -V -v --verbose --verify --version --vfs-all -x -y",
  },
  lsblk: {
    options:
      "-A -a --all --ascii -b --bytes -D -d --dedup= --discard -E= -e= --exclude= -f --fs -h --help -I= -i --include= " +
      "--inverse -J --json -l --list -M -m --merge -n --nodeps --noempty --noheadings -O -o= --output= --output-all " +
      "-N --nvme -v --virtio -Q= --filter= -H --list-columns -P -p --pairs --paths --perms -r --raw -S -s --scsi --shell --sort= -T -t --topology --tree -V --version -w= " +
      "--width= -x= -y -z --zoned",
  },
  blkid: {
    options:
      "-D -d -h --help -i --info -k -L= -l --label= --list-filesystems --list-one --match-tag= --match-token= " +
      "--match-types= -n= --no-encoding --no-part-details -O= -o= --offset= --output= -p --probe -S= -s= --size= -t= " +
      "-U= -u= --usages= --uuid= -V --version",
  },
  filefrag: { options: "-B -b -E -e -k -P -V -v -X -x" },
  whereis: { options: "-B -b -f -h --help -l -M -m -S -s -u -V --version" },
  which: { options: "-a -s" },
  locate: {
    options:
      "-0 -A --all -b --basename -c --count -E -e --existing --follow -H --help -i --ignore-case -L -l= --limit= -m " +
      "--max-database-age= --mmap --nofollow --non-existing --null -P -p --print -r --regex --regextype= -S -s " +
      "--statistics --stdio --version -w --wholename",
  },
  mlocate: {
    options:
      "-0 -A --all -b --basename -c --count -e --existing --follow -H -h --help -i --ignore-case -L -l= --limit= -m " +
      "--mmap -n= --nofollow --null -P -q --quiet -r= --regex --regexp= -S -s --statistics --stdio -V --version -w " +
      "--wholename",
  },
  plocate: {
    options:
      "-0 -A --all -b --basename -c --count -e --existing --help -i --ignore-case -l= --limit= --literal -N --null " +
      "-r= --regex --regexp= --version -w --wholename",
  },
  find: {
    options:
      "-a -amin= -and -anewer= -atime= -cmin= -cnewer= -context= -ctime= -d -daystart -depth -empty -executable " +
      "-false -follow -fstype= -gid= -group= -H --help -help -ignore_readdir_race -ilname= -iname= -inum= -ipath= " +
      "-iregex= -iwholename= -L -links= -lname= -ls -maxdepth= -mindepth= -mmin= -mount -mtime= -name= -newer= " +
      "-neweraa= -neweraB= -newerac= -neweram= -newerat= -newerBa= -newerBB= -newerBc= -newerBm= -newerBt= -newerca= " +
      "-newercB= -newercc= -newercm= -newerct= -newerma= -newermB= -newermc= -newermm= -newermt= -nogroup " +
      "-noignore_readdir_race -noleaf -not -nouser -nowarn -o -O0 -O1 -O2 -O3 -or -P -path= -perm= -print -print0 " +
      "-printf= -prune -quit -readable -regex= -regextype= -samefile= -size= -true -type= -uid= -used= -user= " +
      "--version -version -warn -wholename= -writable -xdev -xtype= -exec -execdir -ok -okdir",
    runs: "-exec -execdir -ok -okdir",
  },
  "fd fdfind": {
    options:
      "-0 -1 -a --absolute-path --and= --batch-size= --format= --no-require-git --base-directory= -c= --case-sensitive --change-newer-than= --change-older-than= " +
      "--changed-after= --changed-before= --changed-within= --color= -d= -E= -e= --exact-depth= --exclude= " +
      "--extension= -F --fixed-strings --follow --full-path -g --glob -H -h --help --hidden -I -i --ignore-case -j= " +
      "-L -l --list-details --max-depth= --max-results= --min-depth= --mount --newer= --no-ignore --no-ignore-parent " +
      "--no-ignore-vcs -o= --older= --one-file-system --owner= -p --path-separator= --print0 --prune -q --quiet " +
      "--regex -S= -s --search-path= --show-errors --size= --strip-cwd-prefix -t= --threads= --type= -u " +
      "--unrestricted -V --version --xdev",
    names: true,
    runs: "-x --exec -X --exec-batch",
  },
  getent: {
    options: "-? -A --help -i --no-addrconfig --no-idn --usage -V --version",
    names: true,
  },
  file: {
    options:
      "-0 --apple -b --brief -c --checking-printout -d --dereference -E -e= --exclude= --exclude-quiet --extension " +
      "-F= -h --help -i -k --keep-going -L -l --list --mime --mime-encoding --mime-type -N -n --no-buffer " +
      "--no-dereference --no-pad -P= --parameter= --print0 -r --raw -s --separator= " +
      "--special-files --uncompress --uncompress-noreport -v --version -Z -z",
    names: true,
  },
  "tar gtar": {
    options:
      "-f= --file= -? -a --absolute-names --acls --anchored --auto-compress --block-number --bzip2 --compare --compress -d --diff " +
      "--exclude= --full-time --gunzip --gzip --help -i --ignore-case --ignore-failed-read --ignore-zeros " +
      "--interactive -J -j --list --lzip --lzma --lzop -n --no-anchored --no-ignore-case --no-wildcards " +
      "--no-wildcards-match-slash --numeric-owner -O --occurrence -P -p --preserve-permissions --quoting-style= -R -S " +
      "--seek --selinux --show-defaults --show-stored-names --show-transformed-names --sparse --strip-components= -t " +
      "-x --extract --get -C= --directory= --to-stdout --totals --uncompress --ungzip --usage --utc -v --verbose --version -w --warning= --wildcards " +
      "--wildcards-match-slash --xattrs --xz -Z -z --zstd",
  },
  unzip: { options: "-1 -2 -C -h -j -L -l -M -p -q -s -T -t -v -x= -Z -z", names: true },
  zipinfo: { options: "-1 -2 -C -h -l -M -m -s -T -t -U -v -x= -z", names: true },
  zipgrep: { options: "-c -E -F -h -i -l -n -o -v -w -x=", names: true },
  "7z 7za 7zr": { options: "-ba -bd -r -slt -y" },
  "unrar ar": { options: "--help --version" },
  "gzip gunzip": {
    options:
      "--best -c -d --decompress -f --fast --force -h --help -k --keep -l --list -N -n --name --no-name -q --quiet " +
      "--stdout -t --test --to-stdout --uncompress -V -v --verbose --version",
  },
  "pigz unpigz": {
    options:
      "--best -c -d --decompress -f --fast --force -h --help -k --keep -l --list -N -n --name --no-name -p= " +
      "--processes= -q --quiet --stdout -t --test --to-stdout --uncompress -V -v --verbose --version",
  },
  "bzip2 bunzip2": {
    options:
      "--best -c -d --decompress -f --fast --force -h --help -k --keep -L --license -q --quiet -s --small --stdout -t " +
      "--test -V -v --verbose --version",
  },
  "xz unxz lzma unlzma": {
    options:
      "--best -c -d --decompress -e --extreme -f --fast --force -H -h --help --ignore-check --info-memory -k --keep " +
      "-l --list --long-help -M= --memlimit= --memory= --no-warn -Q -q --quiet --robot --single-stream --stdout -T= " +
      "-t --test --threads= --to-stdout --uncompress -V -v --verbose --version",
  },
  "zstd unzstd": {
    options:
      "-c -d --decompress -f --fast --force -H -h --help -k --keep -l --list --long --no-progress -q --quiet --stdout " +
      "-T= -t --test --threads= --ultra --uncompress -V -v --verbose --version",
  },
  lz4: {
    options:
      "--best -c -d --decompress --fast -H -h --help -k --keep -l --list -q --quiet --stdout -t --test --to-stdout " +
      "--uncompress -V -v --verbose --version",
  },
  "compress uncompress brotli": {
    options: "-c -d --decompress -f --force -h --help -k --keep --stdout -t --test -V -v --verbose --version",
  },
  rsync: {
    options:
      "-e= --rsh= --rsync-path= -0 -4 -6 -8 --8-bit-output -A -a --acls --append --append-verify --archive --atimes -b --backup --block-size= " +
      "--blocking-io --bwlimit= -C -c --cc= --checksum --checksum-choice= --checksum-seed= --chmod= --chown= " +
      "--compress --compress-choice= --compress-level= --contimeout= --copy-dirlinks --copy-links --copy-unsafe-links " +
      "--crtimes --cvs-exclude --exclude-from= --include-from= -f= --filter= --files-from= --compare-dest= --link-dest= -D -d --debug= --del --delay-updates --devices --dirs --dry-run -E --exclude= " +
      "--executability --existing --force --from0 --fsync --fuzzy -g --group --groupmap= -H -h --hard-links --help " +
      "--human-readable -I -i --iconv= --ignore-errors --ignore-existing --ignore-missing-args --ignore-non-existing " +
      "--ignore-times --inc-recursive --include= --info= --inplace --ipv4 --ipv6 --itemize-changes -J -K -k " +
      "--keep-dirlinks -L -l --links --list-only -m --max-alloc= --max-delete= --max-size= --min-size= --mkpath " +
      "--modify-window= --munge-links -N -n --no-implied-dirs --no-inc-recursive --no-motd --no-whole-file " +
      "--numeric-ids -O -o --old-args --omit-dir-times --omit-link-times --one-file-system --open-noatime " +
      "--out-format= --outbuf= --owner -P -p --partial --perms --port= --preallocate --progress --protocol= " +
      "--prune-empty-dirs -q --quiet -R -r --recursive --relative -S -s --safe-links --secluded-args --size-only " +
      "--skip-compress= --sparse --specials --stats --stderr= --stop-after= --stop-at= --suffix= -t --timeout= " +
      "--times --trust-sender -U -u --update --usermap= -V -v --verbose --version -W --whole-file -X -x --xattrs -y " +
      "-z",
  },
  logrotate: { names: true, options: "-? -d --debug -f --force --help --usage -v --verbose --version" },
  inotifywait: {
    options:
      "-c --csv -e= --event= --exclude= --excludei= --format= -h --help --include= --includei= -m --monitor " +
      "--no-dereference --no-newline -P -q --quiet -r --recursive -t= --timefmt= --timeout=",
    names: true,
  },
  inotifywatch: {
    options:
      "-a= --ascending= -d= --descending= -e= --event= --exclude= --excludei= -h --help --include= --includei= " +
      "--no-dereference -P -r --recursive -t= --timeout= -v --verbose -z --zero",
    names: true,
  },
  fatrace: {
    options:
      "-C= -c --command= --current-mount -f= --filter= -h --help --ignore-pid= -p= -s= --seconds= -t --timestamp",
  },
  getfattr: {
    options:
      "--absolute-names -d --dump -e= --encoding= -h --help -L --logical -m= --match= -n= --name= --no-dereference " +
      "--only-values -P --physical -R --recursive --version",
  },
  patch: {
    options:
      "-c --context --dry-run -E --remove-empty-files -F= --fuzz= -f --force -l --ignore-whitespace -N --forward " +
      "-d= --directory= -i= --input= -n --normal -p= --strip= -R --reverse --reject-format= -s --quiet --silent -t --batch -u --unified --verbose",
  },
};
