import { Parser } from "htmlparser2";

/** What a walk over XML hears. Names keep their prefix as written; `local` is the part after the colon. */
export interface XmlHandler {
  open?(local: string, attributes: Readonly<Record<string, string>>, name: string): void;
  text?(text: string): void;
  close?(local: string, name: string): void;
}

/**
 * Walks XML leniently: a broken document gives what comes before the break, entities beyond the five of XML and
 * character references stay as written, and nothing outside the text is ever fetched.
 */
export function walkXml(xml: string, handler: XmlHandler): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(localName(name), attributes, name),
      ontext: (text) => handler.text?.(text),
      onclosetag: (name) => handler.close?.(localName(name), name),
    },
    { xmlMode: true, decodeEntities: true },
  );
  const body = withoutDoctype(xml);
  // In pieces: the parser's own buffer then stays small.
  for (let at = 0; at < body.length; at += 65_536) parser.write(body.slice(at, at + 65_536));
  parser.end();
}

/** The document type and the entities it declares: nothing of it is text, and none of its entities is ever expanded. */
function withoutDoctype(xml: string): string {
  const at = xml.slice(0, 4096).search(/<!DOCTYPE/i);
  if (at < 0) return xml;
  const subset = xml.indexOf("[", at);
  const close = xml.indexOf(">", at);
  if (close < 0) return xml;
  if (subset < 0 || subset > close) return xml.slice(0, at) + xml.slice(close + 1);
  const end = /\]\s*>/g;
  end.lastIndex = subset;
  const found = end.exec(xml);
  return found ? xml.slice(0, at) + xml.slice(found.index + found[0].length) : xml;
}

export function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}

/** An attribute by its local name, whatever prefix the writer chose. */
export function attribute(attributes: Readonly<Record<string, string>>, local: string): string | undefined {
  const direct = attributes[local];
  if (direct !== undefined) return direct;
  for (const name in attributes) if (name.endsWith(`:${local}`)) return attributes[name];
  return undefined;
}
