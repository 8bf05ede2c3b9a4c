/** Signs in program text of other languages (Python, Perl, Ruby, JavaScript, PHP, Lua). */
import type { Risk } from "../../../base/risk.ts";

export interface CodeSign {
  readonly kind: SignKind;
  readonly pattern: RegExp;
  readonly risk: Risk;
  readonly why: string;
}

type SignKind =
  | "delete"
  | "write"
  | "run"
  | "eval"
  | "socket"
  | "duplicate"
  | "fetch"
  | "decode"
  | "forkloop"
  | "kill"
  | "move"
  | "load";

// biome-ignore format: a sign, and its pattern
export const codeSigns: readonly CodeSign[] = [
  { kind: "delete", risk: "high", why: "deletes files", pattern:
    /\b(rmtree|unlink|rm_rf|rm_r|remove_entry|remove_dir|removedirs|rmdir|rmSync|rmdirSync|unlinkSync|remove_tree|deleteSync|emptyDir|removeSync)\b|\bDeno\.remove\b|\brm\s*\(\s*["']\/|\bos\.(remove|truncate)\b|\bfs(\.promises)?\.rm\b|FileUtils\.(rm|remove)|File\.delete|Dir\.(delete|rmdir)|Path\([^)]*\)\.(unlink|rmdir)/ },
  { kind: "write", risk: "high", why: "writes files", pattern:
    /\bopen\s*\([^)]*,\s*['"][rbt]*[wax+]|\bopen\s*\(?[^;)]*,\s*['"]?\+?>|writeFile|appendFile|createWriteStream|write_text|write_bytes|file_put_contents|File\.(write|open\([^)]*['"][wa])|IO\.write|os\.(rename|replace|chmod|chown|symlink|link|mkdir|makedirs)|shutil\.(copy|move|chown)|renameSync|chmodSync|io\.open\([^)]*['"][wa]|urlretrieve|copy_stream|\bFileWriter\b|FileOutputStream|\bfopen\s*\([^)]*,\s*['"][wa]|\bopen\([^)]*,\s*"[wa]"|\bcp\s*\(\s*["']https?|\bdownload\s*\(\s*["']https?/ },
  { kind: "move", risk: "high", why: "moves files", pattern:
    /\b(rename|renames|renameSync|shutil\.move|FileUtils\.(mv|move)|File\.rename|os\.replace)\b/ },
  { kind: "load", risk: "high", why: "loads code from a library", pattern:
    /\b(CDLL|cdll|LoadLibrary|dlopen|loadlib|DynaLoader|Fiddle|process\.dlopen|ffi\.load|load_library)\b/ },
  { kind: "run", risk: "high", why: "runs commands", pattern:
    /\bos\.(system|popen|exec\w+|spawn\w+|posix_spawn\w*)\b|\bsubprocess\b|\bchild_process\b|\bexec(Sync|File|FileSync)?\s*[({'"]|\bspawn(Sync)?\s*\(|\bsystem\s*[({'"\s]|\bpopen\w*\s*[({'"\s]|\bqx\b|%x[{([]|`[^`]+`|\bshell_exec\b|\bpassthru\b|\bproc_open\b|\bpcntl_exec\b|Open3|IO\.popen|os\.execute|io\.popen|\bpty\.spawn\b|Kernel\.|getattr\(os|__import__|commands\.getoutput|Deno\.(run|Command)|Runtime\.getRuntime|\bexec\s+["'/]|["'\])]\s*\.execute\(\)|\brun\s*\(\s*(?:pipeline\()?`|process\.binding|ProcessBuilder|syscall\.Exec|exec\.Command/ },
  { kind: "eval", risk: "high", why: "runs text as program", pattern:
    /\b(eval|exec|compile|Function|instance_eval|class_eval|loadstring|assert)\s*[({\s]|\bnew Function\b|[,(]\s*eval\s*\)/ },
  { kind: "socket", risk: "high", why: "opens a network connection", pattern:
    /\bsocket\b|\bSockets?\b|TCPSocket|net\.(connect|Socket|createConnection)|fsockopen|IO::Socket|INET|require\(\s*['"](node:)?(net|tls|dgram)['"]/ },
  { kind: "duplicate", risk: "high", why: "joins a program to a connection", pattern:
    /\bdup2\b|STDIN\s*->\s*fdopen|open\s*\(?\s*STD(IN|OUT|ERR)\s*,?\s*["']?[<>]&|\.pipe\([^)]*std(in|out)|reopen|stdio:\s*\[\s*\w*[sS]ock|exec.*<&3|<&\d/ },
  { kind: "fetch", risk: "medium", why: "asks another host", pattern:
    /urlopen|urllib|requests\.(get|post)|http\.client|https?\.get\s*\(|\bfetch\s*\(|open-uri|URI\.open|Net::HTTP|\bLWP\b|file_get_contents\s*\(\s*['"]https?|curl_exec|urlretrieve|HTTP::Tiny|httpx\.|require\(\s*['"](node:)?https?['"]|\b(get|getstore|GET)\s*\(?\s*["']https?:/ },
  { kind: "decode", risk: "medium", why: "decodes text", pattern:
    /b(?:64|32|16|85)decode|base64_decode|decode64|atob\s*\(|Buffer\.from\s*\([^)]*['"](base64|hex)|decode_base64|fromhex|unhexlify|\brot13\b|codecs\.decode|zlib\.decompress|gzinflate|str_rot13|pack\s*\(?\s*['"]H|\.unpack|marshal\.loads|pickle\.loads|\[::-1\]|['"]\.reverse\b|\bstrrev\b|\breversed\s*\(\s*['"]|\brot_?13\b|\breverse\s*[("']|\bdecode\s*\(\s*['"](?:base|hex|rot)|\bscalar\s+reverse|\by\/[^/]*-[^/]*\/|\btr\/[^/]*-[^/]*\// },
  { kind: "forkloop", risk: "block", why: "forks without end", pattern:
    /fork\s*(\(\s*\))?\s*(while|until)\s+(fork|1|true)|while\s*\(?\s*(1|True|true|:)\s*\)?\s*[:{]?\s*(os\.)?fork|loop\s*(do|\{)\s*(Process\.)?fork|\bfork\s+while\s+fork|fork\(\)\s*for\b.*(count\(\)|iter\(|range\(\s*\d{4,})|for\s*\(\s*;;\s*\).*\b(fork|spawn)\b/ },
  { kind: "kill", risk: "block", why: "kills every process", pattern:
    /\bkill\s*\(\s*-?1\s*,|\bkill\s*\(?\s*["']?-?(?:SIG)?(?:9|KILL|TERM|15)["']?\s*,\s*-?1\s*[);"']?\s*(?:$|[;)])/ },
  { kind: "kill", risk: "high", why: "kills processes", pattern:
    /\bos\.(kill|killpg|abort)\b|process\.kill|Process\.kill|\bkill\s+['"]?(9|KILL)|posix_kill|os\.(reboot|sync)/ },
];

/** Words of program text that only prints or parses what comes in. */
export const printing =
  /^(?:print|printf|puts|echo|import|json|sys|stdin|load|loads|dumps|if|unless|and|or|not|for|in|line|len|PHP_VERSION|PHP_EOL|_|g|i|s)$/;
