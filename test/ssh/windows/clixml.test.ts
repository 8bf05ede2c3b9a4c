import { describe, expect, it } from "vitest";
import { readCliXml } from "../../../src/ssh/windows/decode.ts";

const open = '<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">';
const progress =
  '<Obj S="progress" RefId="0"><TN RefId="0"><T>System.Management.Automation.PSCustomObject</T></TN><MS><I64 N="SourceId">1</I64><PR N="Record"><AV>Preparing modules for first use.</AV><AI>0</AI><Nil /><PI>-1</PI><PC>-1</PC><T>Completed</T><SR>-1</SR><SD> </SD></PR></MS></Obj>';
const error =
  '<S S="Error">Get-Item : Cannot find path \'C:\\x\' &amp; more_x000D__x000A_</S><S S="Error">At line:1 char:1_x000D__x000A_</S>';

describe("readCliXml", () => {
  it("AR-06 gives the text of errors, and none of progress", () => {
    expect(readCliXml(`out\r\n#< CLIXML\r\n${open}${progress}${error}</Objs>after\r\n`)).toBe(
      "out\r\nGet-Item : Cannot find path 'C:\\x' & more\r\nAt line:1 char:1\r\nafter\r\n",
    );
  });

  it("AR-06 progress alone leaves nothing", () => {
    expect(readCliXml(`#< CLIXML\r\n${open}${progress}</Objs>`)).toBe("");
  });

  it("one header may be followed by several, between other lines", () => {
    const text = `#< CLIXML\r\nfirst\r\n${open}${error}</Objs>second\r\n${open}<S S="warning">W_x000A_</S></Objs>`;
    expect(readCliXml(text)).toBe(
      "first\r\nGet-Item : Cannot find path 'C:\\x' & more\r\nAt line:1 char:1\r\nsecond\r\nW\n",
    );
  });

  it("what is cut off gives what is whole", () => {
    expect(readCliXml(`#< CLIXML\r\n${open}<S S="Error">whole_x000A_</S><S S="Err`)).toBe("whole\n");
  });

  it.each(["plain", `${open}<S S="Error">no header</S></Objs>`, '#< CLIXML\r\n<Objs x="y">other</Objs>'])(
    "other text stays: %j",
    (text) => expect(readCliXml(text)).toBe(text.replace("#< CLIXML\r\n", "")),
  );

  it("entities are read once, so that no text makes others", () => {
    expect(readCliXml(`#< CLIXML\r\n${open}<S S="Error">&amp;lt;b&amp;gt; _x005F_x000A_</S></Objs>`)).toBe(
      "&lt;b&gt; _x000A_",
    );
  });
});
