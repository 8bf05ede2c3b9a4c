/** Comments as the bot writes them, for the page to show. */
export const board = `<!-- countersign:board 7b1e -->
**Phase 3 of 5 · Investigate** — LIKELY: the new release does not start. Nothing confirmed yet.

| # | risk | server | action | state |
|---|---|---|---|---|
| 1 | 🟢 low | \`web-1\` | Service status | proposed |
| 2 | 🟢 low | \`web-1\` | Errors since the deploy | proposed |
| 3 | 🟢 low | \`web-1\` | Disk space | proposed |`;

export const card = (ticked = false): string => `<!-- countersign:card 7b1e/1 -->
The spike began with a deploy and only web-1 is named, so look at the unit, its log and the disk first. All three only read.

- [${ticked ? "x" : " "}] **1** · 🟢 low · \`web-1\` · **Service status** — is checkout-api up, and its last lines
  \`\`\`sh
  systemctl status checkout-api
  \`\`\`
- [${ticked ? "x" : " "}] **2** · 🟢 low · \`web-1\` · **Errors since the deploy** — what it logged
  \`\`\`sh
  journalctl -u checkout-api --since 14:00 -p err
  \`\`\`
- [ ] ${ticked ? "~~**3** · 🟢 low · `web-1` · **Disk space**~~ superseded" : "**3** · 🟢 low · `web-1` · **Disk space**"}
  \`\`\`sh
  df -h
  \`\`\`

\`/approve 1 2 3\` · one approver, anyone in \`acme/oncall\` · until 15:10Z · \`/reject 2 why\` · \`/edit 2\` · \`/help\`
*Explanations are the model's, not verified.*

📖 **Runbook links** · [checkout-api 5xx](https://runbooks.acme.example/checkout-api-5xx)`;

export const running = "⏳ **1** · running for 1 s · `web-1` · approved by @lee";

export const result = `**1** · ✅ exit 0 · 0.3 s · \`web-1\` · approved by @lee
<details><summary>Output, 14 lines</summary>

\`\`\`text
● nginx.service - A high performance web server and a reverse proxy server
     Active: active (running) since Mon 2026-11-09 22:00:00 UTC; 12 days ago
\`\`\`

</details>

**2** · ❌ exit 1 · 0.9 s · \`web-1\` · approved by @lee · *error: No space left on device*
\`\`\`text
14:02:11 checkout-api[311]: write /var/lib/checkout/wal: no space left on device
  ⋯ 13,308 of 18,220 characters left out · /output 2 ⋯
\`\`\``;

export const next = `**CONFIRMED** by 2: the volume is full. A debug log of 39 GB has taken what was left of \`/var\`.

- [ ] **4** · 🟡 medium · \`web-1\` · **Rotate the log now** — empties the debug log, keeps the file
  \`\`\`sh
  truncate -s 0 /var/log/checkout/debug.log
  \`\`\`

\`/approve 4\` · one approver, anyone in \`acme/oncall\` · until 15:21Z · \`/reject 4 why\` · \`/explain 4\`

> [!WARNING]
> The card was edited by @mona after it was posted. Approvals of it are void (SR-27).

**Suggestions** · \`1\` Check what grew · \`2\` Compare with web-2 · \`3\` Restart after cleaning (\`/ask 1\`)`;

/** What a malicious author might try. */
export const hostile = `<script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">
<a href="javascript:window.pwned=3">click</a> <iframe src="https://evil.example"></iframe>
<style>body { display: none }</style><form action="https://evil.example"><button>send</button></form>
![tracking](https://evil.example/pixel.png) <div style="position:fixed;inset:0" class="top">cover</div>
<!-- hidden --> visible`;
