// Comments, texts, quoted names and dollar-quoted bodies may contain semicolons.
const PIECES =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:\\.|''|[^'\\])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g

const isCommand = (text: string): boolean => text.replace(COMMENTS, '').trim() !== ''

/** The commands of an SQL file in their order, to be sent one at a time: a pooler may read only the first one. */
export const splitCommands = (text: string): string[] => {
  const commands: string[] = []
  let start = 0
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (piece !== ';') continue
    commands.push(text.slice(start, index).trim())
    start = index + 1
  }
  return [...commands, text.slice(start).trim()].filter(isCommand)
}
