/** The sentences that the page gives a module, in its language; empty without them. */
export const readTexts = <Key extends string>(name: string): Readonly<Record<Key, string>> => {
  const element = document.querySelector<HTMLElement>(`script[data-module="${name}"]`)
  return JSON.parse(element?.dataset.texts ?? '{}')
}

/** A sentence with its values in place of their names in braces. */
export const fillIn = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
