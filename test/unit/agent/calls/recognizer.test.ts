import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCallRecognizer } from "../../../../core/agent/calls/index.ts";

const names = ["recall_memory", "search_library", "look_up_feeds", "ask_user"];
const recognizer = createCallRecognizer();
const recall = { kind: "calls", calls: [{ name: "recall_memory", args: { query: "sister" } }] };

const forms: Record<string, string> = {
  "bare JSON": '{"name": "recall_memory", "arguments": {"query": "sister"}}',
  "JSON with parameters": '{"name":"recall_memory","parameters":{"query":"sister"}}',
  "arguments before the name": '{"arguments": {"query": "sister"}, "name": "recall_memory"}',
  "arguments as a JSON string": '{"name": "recall_memory", "arguments": "{\\"query\\": \\"sister\\"}"}',
  "OpenAI's wrapper":
    '{"id":"c1","type":"function","function":{"name":"recall_memory","arguments":"{\\"query\\":\\"sister\\"}"}}',
  "a list of calls": '{"tool_calls": [{"name": "recall_memory", "arguments": {"query": "sister"}}]}',
  "a bare array": '[{"name": "recall_memory", "arguments": {"query": "sister"}}]',
  "tool as the key": '{"tool": "recall_memory", "args": {"query": "sister"}}',
  "the name as the only key": '{"recall_memory": {"query": "sister"}}',
  "arguments beside the name": '{"action": "recall_memory", "query": "sister"}',
  "single quotes": "{'name': 'recall_memory', 'arguments': {'query': 'sister'}}",
  "a trailing comma": '{"name": "recall_memory", "arguments": {"query": "sister",},}',
  "a bracket that is missing": '{"name": "recall_memory", "arguments": {"query": "sister"}',
  "fenced JSON": '```json\n{"name": "recall_memory", "arguments": {"query": "sister"}}\n```',
  "a fence without a language": '```\n{"name": "recall_memory", "arguments": {"query": "sister"}}\n```',
  "an open fence": '```json\n{"name": "recall_memory", "arguments": {"query": "sister"}}',
  "Hermes's tag": '<tool_call>\n{"name": "recall_memory", "arguments": {"query": "sister"}}\n</tool_call>',
  "an open tag": '<tool_call>{"name": "recall_memory", "arguments": {"query": "sister"}}',
  "a tag in a fence": '```xml\n<tool_call>{"name": "recall_memory", "arguments": {"query": "sister"}}</tool_call>\n```',
  "a tools tag": '<tools>\n{"name": "recall_memory", "arguments": {"query": "sister"}}\n</tools>',
  "a function tag": '<function=recall_memory>{"query": "sister"}</function>',
  "parameter tags": "<function=recall_memory>\n<parameter=query>\nsister\n</parameter>\n</function>",
  "nested function tags":
    "<tool_call>\n<function=recall_memory>\n<parameter=query>sister</parameter>\n</function>\n</tool_call>",
  "an invoke tag":
    '<function_calls><invoke name="recall_memory"><parameter name="query">sister</parameter></invoke></function_calls>',
  "Mistral's tag": '[TOOL_CALLS][{"name": "recall_memory", "arguments": {"query": "sister"}}]',
  Python: 'recall_memory(query="sister")',
  "Python with a dictionary": 'recall_memory({"query": "sister"})',
  "Python with a position": "recall_memory('sister')",
  "Python in a print": 'print(default_api.recall_memory(query="sister"))',
  "Python in brackets": '[recall_memory(query="sister")]',
  "fenced Python": '```python\nrecall_memory(query="sister")\n```',
  "tool code": '```tool_code\nprint(recall_memory(query="sister"))\n```',
  ReAct: 'Action: recall_memory\nAction Input: {"query": "sister"}',
};

describe("a call written as text", () => {
  it.each(Object.entries(forms))("is recognised as %s", (_, text) => {
    expect(recognizer.recognize(text, names)).toEqual({ ...recall, before: "" });
  });

  it.each(Object.entries(forms))("keeps the prose in front of it: %s", (_, text) => {
    expect(recognizer.recognize(`Let me look that up.\n\n${text}`, names)).toEqual({
      ...recall,
      before: "Let me look that up.",
    });
  });

  it.each(Object.entries(forms))("is never shown while it streams: %s", (_, text) => {
    const whole = `One moment: I look.\n${text}`;
    const before = whole.length - text.length;
    let shown = 0;
    for (let length = 1; length <= whole.length; length++) {
      const safe = recognizer.safePrefix(whole.slice(0, length), names);
      expect(safe).toBeGreaterThanOrEqual(shown);
      expect(safe).toBeLessThanOrEqual(before);
      shown = safe;
    }
  });

  it("has empty arguments when none, null, or an empty text is given", () => {
    for (const text of [
      '{"name": "recall_memory"}',
      '{"name": "recall_memory", "arguments": null}',
      '{"name": "recall_memory", "arguments": ""}',
      '{"name": "recall_memory", "arguments": "{}"}',
      '<tool_call>{"name": "recall_memory", "arguments": {}}</tool_call>',
      "<function=recall_memory></function>",
      "<tool_call>recall_memory</tool_call>",
      "recall_memory()",
      "Action: recall_memory\n",
    ]) {
      expect([text, recognizer.recognize(text, names)]).toEqual([
        text,
        { kind: "calls", calls: [{ name: "recall_memory", args: {} }], before: "" },
      ]);
    }
  });

  it("may come with others: all are one action", () => {
    const both = [
      { name: "recall_memory", args: { query: "a" } },
      { name: "search_library", args: { query: "b" } },
    ];
    for (const text of [
      '<tool_call>{"name": "recall_memory", "arguments": {"query": "a"}}</tool_call>\n<tool_call>{"name": "search_library", "arguments": {"query": "b"}}</tool_call>',
      '[recall_memory(query="a"), search_library(query="b")]',
      'recall_memory(query="a")\nsearch_library(query="b")',
      '{"name": "recall_memory", "arguments": {"query": "a"}}\n{"name": "search_library", "arguments": {"query": "b"}}',
    ]) {
      expect(recognizer.recognize(text, names)).toEqual({ kind: "calls", calls: both, before: "" });
    }
  });

  it("ends where the model starts to invent the result", () => {
    expect(recognizer.recognize('recall_memory(query="sister")\n\nShe works at a bank.', names)).toEqual({
      ...recall,
      before: "",
    });
  });
});

describe("a broken call", () => {
  it.each([
    [
      '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>',
      "There is no tool named get_weather. The tools are: recall_memory, search_library, look_up_feeds, ask_user.",
    ],
    [
      '{"name": "web_search", "arguments": {"q": "x"}}',
      "There is no tool named web_search. The tools are: recall_memory, search_library, look_up_feeds, ask_user.",
    ],
    [
      '<function=get_weather>{"city": "Graz"}</function>',
      "There is no tool named get_weather. The tools are: recall_memory, search_library, look_up_feeds, ask_user.",
    ],
    ['{"name": "recall_memory", "arguments": {"query": "sis', "The call was cut short before its JSON ended."],
    ['recall_memory(query="sis', "The call was cut short before its arguments ended."],
    ["<tool_call>", "The call is empty."],
    ["<tool_call>{broken}</tool_call>", "The call is not valid JSON with a name and arguments."],
  ])("goes back with its problem: %s", (text, problem) => {
    expect(recognizer.recognize(text, names)).toEqual({ kind: "malformed", problem, before: "" });
  });
});

describe("an answer", () => {
  const answers = [
    "Hello! How can I help you today?",
    'JSON is a text format. An example: {"name": "Alice", "age": 30}. Objects stand in braces.',
    'Here is the data you asked for:\n```json\n{"name": "Alice", "arguments": ["a", "b"]}\n```',
    'A tool call in that format looks like this:\n```json\n{"name": "get_weather", "arguments": {"city": "Graz"}}\n```\nThe model fills in the arguments.',
    "```python\ndef add(a, b):\n    return a + b\n\nprint(add(1, 2))\n```",
    '```js\nconst call = { name: "get_weather", arguments: {} };\nfetch("/x");\n```',
    "Use `recall_memory(query)` when you want to look back.",
    "recall_memory(query) is a tool that looks back at what was said.",
    "The recall_memory tool looks back.",
    "In XML, <function> and <tool> are ordinary elements, and <b>bold</b> is markup.",
    "If a < b and b < c then a < c; arrays like [1, 2, 3] or [a, b] are lists.",
    "print('hello')",
    '{"title": "Shopping", "items": ["milk", "eggs"]}',
    '[{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]',
    "- [ ] buy milk\n- [x] pay rent\n\nSee [the guide](https://example.org).",
    "Action: run every day. Result: better sleep.",
    "The set {1, 2, 3} has three elements; {x | x > 0} is infinite.",
    "",
  ];
  it.each(answers)("stays text: %s", (text) => {
    expect(recognizer.recognize(text, names)).toEqual({ kind: "text" });
  });

  it("is shown up to its last characters while it streams, and whole in the end", () => {
    for (const text of answers) {
      let shown = 0;
      for (let length = 1; length <= text.length; length++) {
        const safe = recognizer.safePrefix(text.slice(0, length), names);
        expect(safe).toBeGreaterThanOrEqual(shown);
        shown = safe;
      }
    }
    expect(recognizer.safePrefix("Plain words, and nothing else", names)).toBe(29);
  });

  it("has every kind of text judged without a throw, and shows only what is no call", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(...Object.values(forms), ...answers),
        fc.constantFrom(
          "<tool_call>",
          "</tool_call>",
          "```",
          "```json\n",
          "{",
          "}",
          "[",
          "]",
          '"name"',
          ":",
          "\n",
          "recall_memory",
          "(",
          ")",
          "`",
          "Action: ",
        ),
        fc.string({ maxLength: 12 }),
        fc.json({ maxDepth: 3 }),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(pieces, fc.nat(), (parts, cut) => {
        const text = parts.join("");
        const judged = recognizer.recognize(text, names);
        const safe = recognizer.safePrefix(text.slice(0, cut % (text.length + 1)), names);
        expect(safe).toBeLessThanOrEqual(cut % (text.length + 1));
        if (judged.kind === "calls") {
          for (const call of judged.calls) expect(names).toContain(call.name);
          // What was shown before the reply ended is prose that stands in front of the call.
          expect(text.slice(0, safe).trim().length).toBeLessThanOrEqual(judged.before.length);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("of any JSON that names no tool is text", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        fc.pre(!names.some((name) => json.includes(name)));
        expect(recognizer.recognize(`Here it is: ${json}`, names).kind).toBe("text");
      }),
      { numRuns: 500 },
    );
  });

  it("of a million characters is judged in one pass", () => {
    const long = `${"{ [ < ` word ".repeat(2000)}\n${"a line of prose\n".repeat(2000)}`;
    const started = performance.now();
    recognizer.recognize(long, names);
    const once = performance.now() - started;
    const twice = performance.now();
    recognizer.recognize(long + long, names);
    // Twice the text, not four times the work (with room for a busy machine).
    expect(performance.now() - twice).toBeLessThan(once * 8 + 200);
  });
});
