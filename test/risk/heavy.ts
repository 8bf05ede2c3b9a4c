/** Texts made to cost: depth, width, doubling and length. */

const nested = (open: string, inner: string, close: string, count: number): string =>
  open.repeat(count) + inner + close.repeat(count);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** So many shells in one another. */
export const shells = (depth: number, command: string): string =>
  Array.from({ length: depth }).reduce<string>((inner) => `bash -c ${quoted(inner)}`, command);

/** Made to cost much: depth, width, doubling and length; none of them is plain enough to be low. */
export const floods: readonly (readonly [name: string, text: string])[] = [
  ["500 nested $(", `echo ${nested("$(", "ls", ")", 500)}`],
  ["500 unclosed $(", "$(".repeat(500)],
  ["500 nested ${x:-", `echo ${nested("$" + "{x:-", "ls", "}", 500)}`],
  ["500 nested $((", `echo ${nested("$((", "1", "))", 500)}`],
  ["500 nested <(", `cat ${nested("<(cat ", "x", ")", 500)}`],
  ["{a,b} 400 times", `rm ${"{a,b}".repeat(400)}`],
  ["nested braces", `rm ${nested("{a,", "b", "}", 400)}`],
  ["{1..999999999}", "rm {1..999999999}"],
  ["10,000 open parentheses", "(".repeat(10_000)],
  ["10,000 nested parentheses, over the length", nested("(", "ls", ")", 10_000)],
  ["9,000 nested parentheses", nested("(", "ls", ")", 9_000)],
  ["4,000 nested braces", nested("{ ", "ls", ";}", 4_000)],
  ["900 nested if", nested("if ls; then ", "ls", "; fi", 900)],
  ["a megabyte of a letter", "a".repeat(1 << 20)],
  ["a megabyte of rm", "rm -rf / ".repeat(116_509)],
  ["a megabyte of quotes", "'".repeat(1 << 20)],
  ["a doubling variable", `a=xxxxxxxx;${"a=$a$a$a$a;".repeat(1500)}$a`],
  ["a doubling function", `f(){ f;f; };${"f;".repeat(5000)}`],
  ["a thousand aliases", `${Array.from({ length: 900 }, (_, i) => `alias a${i}='a${i + 1};a${i + 1}'`).join(";")};a0`],
  ["eval of eval", `x='eval "$x$x"'; eval "$x"`],
  ["3,000 eval", `${"eval ".repeat(3000)}ls`],
  ["3,900 sudo", `${"sudo ".repeat(3900)}ls`],
  ["3,000 xargs", `${"xargs ".repeat(3000)}ls`],
  ["a long pipeline into shells", `echo ls ${"| sh ".repeat(3900)}`],
  ["many loops of many values", `${"for i in 1 2 3 4 5 6 7 8 9; do ".repeat(60)} rm $i ${"; done".repeat(60)}`],
  ["many words of many values", `for i in ${"a ".repeat(3000)}; do rm $i$i$i; done`],
  ["a long glob", `rm ${"*?[a-z]".repeat(2500)}`],
  ["a long assignment chain", `${Array.from({ length: 1200 }, (_, i) => `v${i + 1}=$v${i}$v${i}`).join(";")}; $v1200`],
  ["NUL", "rm\u0000 -rf /srv"],
  ["a lone high surrogate", "rm \ud800 -rf /srv"],
  ["lone low surrogates", "\udfff".repeat(5000)],
  ["right-to-left overrides", "\u202e".repeat(9000)],
  ["combining marks", `rm a${"\u0301".repeat(9000)}`],
  ["backslashes", "\\".repeat(19_999)],
  ["line breaks in words", "rm \\\n".repeat(3900)],
  ["5,000 nested $(", `echo ${nested("$(", "ls", ")", 5000)}`],
  ["3,000 nested ${x:-", `echo ${nested("$" + "{x:-", "ls", "}", 3000)}`],
  ["2,000 nested substitutions in arrays", nested("a=($(", "ls", "))", 2000)],
  ["a variable of 1,900 words, 5,000 times", `a='${"x ".repeat(1900)}'; rm ${"$a ".repeat(5000)}`],
  ["an array of 199 words, 2,000 times", `a=(${"a ".repeat(199)}); rm ${`$${"{a[@]}"} `.repeat(2000)}`],
  ["a thousand filters with a repetition", `echo ${"a".repeat(1900)} ${"| sed s/a*b/x/g ".repeat(1000)} | sh`],
  ["6,000 programs to run", `acme ${"rm ".repeat(6000)}`],
  ["case after case", `${"case x in x) ".repeat(1000)}ls${";; esac".repeat(1000)}`],
];

const numbered = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("");

/** The block stands plainly there; what is around it uses up the budget or the depth, or cannot be read. */
export const decoys: readonly (readonly [name: string, text: string])[] = [
  ["6,000 ls;", `${"ls;".repeat(6000)}rm -rf /`],
  ["2,400 different ls", `${numbered(2400, (i) => `ls ${i};`)}rm -rf /`],
  ["3,000 different programs", `${numbered(3000, (i) => `a${i};`)}rm -rf /`],
  ["3,000 substitutions", `${"$(ls);".repeat(3000)}rm -rf /`],
  ["800 brace expansions", `${"echo {a,b}{c,d}{e,f};".repeat(800)}rm -rf /`],
  ["4,000 assignments", `${"a=1;".repeat(4000)}rm -rf /`],
  ["one command before 6,000 ls", `rm -rf /${";ls".repeat(6000)}`],
  ["6,000 ls, redirected to a disk", `${"ls;".repeat(6000)}cat x > /dev/sda`],
  ["6,000 ls, in a shell of its own", `${"ls;".repeat(6000)}bash -c 'sudo rm -rf /'`],
  ["40 parentheses", nested("( ", "rm -rf /", " )", 40)],
  ["4,000 parentheses", nested("(", "rm -rf /", ")", 4000)],
  ["4,000 braces", nested("{ ", "rm -rf /", ";}", 4000)],
  ["400 substitutions", `echo ${nested("$(", "rm -rf /", ")", 400)}`],
  ["400 quoted substitutions", `echo ${nested('"$(', "rm -rf /", ')"', 400)}`],
  ["900 nested if", nested("if ls; then ", "rm -rf /", "; fi", 900)],
  ["40 eval", `${"eval ".repeat(40)}rm -rf /`],
  ["3,000 eval", `${"eval ".repeat(3000)}rm -rf /`],
  ["3,000 sudo with options", `${"sudo -n ".repeat(2400)}rm -rf /`],
  ["3,000 xargs", `${"xargs ".repeat(3000)}rm -rf /`],
  [
    "40 shells by here-document",
    `${numbered(40, (i) => `bash <<A${i}\n`)}rm -rf /${numbered(40, (i) => `\nA${39 - i}`)}\n`,
  ],
  ["an open parenthesis", "rm -rf / ; ("],
];

/** Long, and yet plain, most of it nothing but reading. */
export const longReadings: readonly (readonly [name: string, text: string])[] = [
  ["6,000 ls;", "ls;".repeat(6000)],
  ["500 empty backtick pairs", `echo ${"`".repeat(1000)}`],
  ["400 nested here-documents", "cat <<A\n$(cat <<B\n$(ls)\nB\n)\nA\n".repeat(400)],
  ["dollars", "$".repeat(19_999)],
  ["4,999 here-documents that wait", `cat ${"<<A ".repeat(4999)}`],
  ["1,500 find -exec", `${"find / -exec ".repeat(1500)}ls`],
  ["a sum of 9,000 in a loop", `while (( 1${"+1".repeat(9000)} )); do rm x; done`],
  ["a long pipeline", `ls ${"| cat ".repeat(3000)}`],
];

/** What the issue asks a figure of, beside the others. */
export const named: readonly (readonly [name: string, text: string])[] = [
  ["{a,b} 400 times", `echo ${"{a,b}".repeat(400)}`],
  ["nested xargs", `ls | ${"xargs ".repeat(500)}rm`],
  ["500 nested $(", `echo ${nested("$(", "ls", ")", 500)}`],
  ["9-fold bash -c", shells(9, "rm -rf /")],
  ["6,000 ls;", "ls;".repeat(6000)],
  ["10,000 parentheses", nested("(", "ls", ")", 10_000)],
  ["1 MB", "rm -rf /; ".repeat(104_858)],
  ["a=($( 2,000 times", nested("a=($(", "ls", "))", 2000)],
  ["a sum of 1,500 texts in Python", `python3 -c "x=${"'a'+".repeat(1500)}'b'"`],
  ["3,000 assignments in Python", `python3 -c "${"a=a+'b';".repeat(2200)}"`],
  ["nested calls in Python", `python3 -c "${nested("str(", "'a'", ")", 2000)}"`],
  ["400 links", `${numbered(400, (i) => `ln -s /srv/${i} /tmp/${i};`)}rm -rf /tmp/1/x`],
  ["a glob of every program", `${"/bin/?* ; ".repeat(1500)}`],
];
