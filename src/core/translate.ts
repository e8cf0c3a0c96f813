/** Puts a sentence for the person into their language; `{0}` stands for the first argument. */
export type Translate = (sentence: string, ...args: readonly string[]) => string;

/** English, as the sentences are written. */
export const inEnglish: Translate = (sentence, ...args) =>
  sentence.replace(/\{(\d)\}/g, (placeholder, index: string) => args[Number(index)] ?? placeholder);
