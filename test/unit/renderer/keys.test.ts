import { describe, expect, it } from "vitest";
import { isComposing, matches, showKeys } from "../../../renderer/keyboard/keys.ts";
import { onEnter } from "../../../renderer/screens/chat/composer/sendKeys.ts";

const press = (key: string, part: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...part,
});

describe("key combinations", () => {
  it("take Command on macOS and Control elsewhere", () => {
    expect(matches("mod+k", press("k", { ctrlKey: true }), false)).toBe(true);
    expect(matches("mod+k", press("k", { metaKey: true }), true)).toBe(true);
    expect(matches("mod+k", press("k", { ctrlKey: true }), true)).toBe(false);
  });
  it("tell apart what only Shift tells apart", () => {
    expect(matches("mod+f", press("F", { ctrlKey: true, shiftKey: true }), false)).toBe(false);
    expect(matches("mod+shift+f", press("F", { ctrlKey: true, shiftKey: true }), false)).toBe(true);
    expect(matches("f6", press("F6", { shiftKey: true }), false)).toBe(false);
  });
  it("do not act on a letter with a modifier", () => {
    expect(matches("j", press("j", { ctrlKey: true }), false)).toBe(false);
    expect(matches("j", press("j"), false)).toBe(true);
  });
  it("read as the system writes them", () => {
    expect(showKeys("mod+shift+f", true)).toBe("⌘⇧F");
    expect(showKeys("mod+shift+f", false)).toBe("Ctrl Shift F");
    expect(showKeys("escape", false)).toBe("Esc");
  });
});

describe("Enter in the composer", () => {
  it("sends, and with Shift breaks the line", () => {
    expect(onEnter(press("Enter"), true)).toBe("send");
    expect(onEnter(press("Enter", { shiftKey: true }), true)).toBe("newline");
  });
  it("breaks the line where the setting says so, and Control Enter sends", () => {
    expect(onEnter(press("Enter"), false)).toBe("newline");
    expect(onEnter(press("Enter", { ctrlKey: true }), false)).toBe("send");
  });
  it("never sends while an input method composes", () => {
    expect(onEnter({ ...press("Enter"), isComposing: true }, true)).toBe("none");
    expect(onEnter({ ...press("Enter"), keyCode: 229 }, true)).toBe("none");
    expect(onEnter({ ...press("Enter", { ctrlKey: true }), isComposing: true }, true)).toBe("none");
    expect(isComposing({ keyCode: 229 })).toBe(true);
  });
});
