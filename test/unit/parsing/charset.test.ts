import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { decodeText } from "../../../core/parsing/extract/charset.ts";

const samples: Readonly<Record<string, readonly [text: string, charsets: readonly string[]]>> = {
  French: [
    "L'élève a été très étonné par la leçon d'hier à l'école ; où étaient les œufs et le garçon ?",
    ["windows-1252", "macintosh"],
  ],
  German: ["Die Straße führt über die Brücke, größer als Äpfel und Öl.", ["windows-1252", "iso-8859-1", "cp850"]],
  Russian: [
    "Сегодня утром мы читали большую книгу о природе и людях, живущих на севере страны.",
    ["windows-1251", "koi8-r", "ibm866", "iso-8859-5"],
  ],
  Ukrainian: ["Сьогодні вранці ми читали велику книгу про її життя на півночі країни.", ["windows-1251", "koi8-u"]],
  Polish: [
    "Zażółć gęślą jaźń. Wczoraj byłem w mieście i kupiłem świeże bułki oraz mąkę.",
    ["windows-1250", "iso-8859-2"],
  ],
  Greek: ["Σήμερα το πρωί διαβάσαμε ένα μεγάλο βιβλίο για τη φύση και τους ανθρώπους.", ["windows-1253", "iso-8859-7"]],
  Turkish: ["Bugün sabah büyük bir kitap okuduk; ağaç, şehir, çiçek, ışık ve İstanbul güzeldir.", ["windows-1254"]],
  Hebrew: ["היום בבוקר קראנו ספר גדול על הטבע ועל האנשים בצפון הארץ.", ["windows-1255"]],
  Arabic: ["قرأنا اليوم صباحا كتابا كبيرا عن الطبيعة والناس في شمال البلاد.", ["windows-1256"]],
  Thai: ["วันนี้ตอนเช้าเราอ่านหนังสือเล่มใหญ่เกี่ยวกับธรรมชาติและผู้คน", ["windows-874"]],
  Japanese: ["今日の朝、私たちは自然と人々についての大きな本を読みました。", ["shift_jis", "euc-jp"]],
  Chinese: ["今天早上我们读了一本关于自然和人们的大书，非常有趣。", ["gb18030"]],
  "traditional Chinese": ["今天早上我們讀了一本關於自然和人們的大書，非常有趣。", ["big5"]],
  Korean: ["오늘 아침 우리는 자연과 사람들에 관한 큰 책을 읽었습니다.", ["euc-kr"]],
};

describe("decoding text of unknown charset", () => {
  it.each(
    Object.entries(samples).flatMap(([language, [text, charsets]]) =>
      charsets.map((charset) => [language, charset, text] as const),
    ),
  )("reads %s in %s", (_, charset, text) => {
    const bytes = iconv.encode(text, charset);
    const decoded = decodeText(bytes);
    expect(decoded.text).toBe(iconv.decode(bytes, charset));
    expect(decoded.guessed).toBe(true);
  });

  it.each(["utf-16le", "utf-16be", "utf-32le"])("reads %s by its mark", (charset) => {
    expect(decodeText(iconv.encode("鰻 and weir", charset, { addBOM: true })).text).toBe("鰻 and weir");
  });

  it("believes a declared charset whose bytes fit", () => {
    const bytes = iconv.encode("Příliš žluťoučký kůň", "iso-8859-2");
    expect(decodeText(bytes, "iso-8859-2")).toEqual({
      text: "Příliš žluťoučký kůň",
      charset: "iso-8859-2",
      guessed: false,
    });
  });

  it("does not believe one that breaks the text or does not exist", () => {
    expect(decodeText(Buffer.from("größe"), "iso-8859-1").charset).toBe("utf-8");
    expect(decodeText(Buffer.from("größe"), "klingon-8").text).toBe("größe");
  });
});
