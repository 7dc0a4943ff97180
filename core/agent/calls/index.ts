/**
 * Recognises tool calls that a model wrote as text, and keeps them from being shown as an answer while they stream.
 * Answers and code samples that merely look similar stay text.
 */
export { createCallRecognizer } from "./recognizer.ts";
