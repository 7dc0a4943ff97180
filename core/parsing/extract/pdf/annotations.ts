import { type Pdfium, readUtf16, withCString } from "./pdfium.ts";

const subtype = { link: 2, popup: 16, widget: 20 };
const fieldType = {
  unknown: 0,
  pushButton: 1,
  checkBox: 2,
  radioButton: 3,
  comboBox: 4,
  listBox: 5,
  text: 6,
  signature: 7,
};

/**
 * Texts that annotations and form fields hold beside the page: values of fields (whether or not they are drawn),
 * notes, comments, the words under highlights' pop-ups. In file order; link targets are left out.
 */
export function annotationTexts(pdfium: Pdfium, form: number, page: number): string[] {
  const texts: string[] = [];
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(page), 20_000);
  for (let i = 0; i < count; i++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    try {
      const kind = pdfium._FPDFAnnot_GetSubtype(annotation);
      if (kind === subtype.popup || kind === subtype.link) continue;
      const text =
        kind === subtype.widget ? fieldText(pdfium, form, annotation) : stringOf(pdfium, annotation, "Contents");
      const clean = text
        .replace(/\r\n?/g, "\n")
        .replace(/[\0-\x08\x0b-\x1f]/g, "")
        .trim();
      if (clean !== "") texts.push(clean);
    } finally {
      pdfium._FPDFPage_CloseAnnot(annotation);
    }
  }
  return texts;
}

function stringOf(pdfium: Pdfium, annotation: number, key: string): string {
  return withCString(pdfium, key, (name) =>
    readUtf16(pdfium, (buffer, bytes) => pdfium._FPDFAnnot_GetStringValue(annotation, name, buffer, bytes)),
  );
}

function fieldText(pdfium: Pdfium, form: number, annotation: number): string {
  if (form === 0) return stringOf(pdfium, annotation, "V");
  const type = pdfium._FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === fieldType.pushButton || type === fieldType.signature) return "";
  if (type === fieldType.checkBox || type === fieldType.radioButton) return checkedLabel(pdfium, form, annotation);
  const value = readUtf16(pdfium, (buffer, bytes) =>
    pdfium._FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes),
  );
  if (value !== "" || (type !== fieldType.comboBox && type !== fieldType.listBox)) return value;
  const chosen: string[] = [];
  const options = Math.min(pdfium._FPDFAnnot_GetOptionCount(form, annotation), 500);
  for (let i = 0; i < options; i++) {
    if (pdfium._FPDFAnnot_IsOptionSelected(form, annotation, i) !== 1) continue;
    chosen.push(
      readUtf16(pdfium, (buffer, bytes) => pdfium._FPDFAnnot_GetOptionLabel(form, annotation, i, buffer, bytes)),
    );
  }
  return chosen.join("\n");
}

/** A ticked box says its name, as the form's author gave it to readers; an empty one says nothing. */
function checkedLabel(pdfium: Pdfium, form: number, annotation: number): string {
  if (pdfium._FPDFAnnot_IsChecked(form, annotation) !== 1) return "";
  const label = readUtf16(pdfium, (buffer, bytes) =>
    pdfium._FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, bytes),
  );
  return label === "" ? "" : `[x] ${label}`;
}
