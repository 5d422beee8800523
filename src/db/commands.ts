// Comments, texts and quoted names may hold semicolons; so may a function's body between dollars.
const PIECES =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:\\.|''|[^'\\])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g

const isCommand = (text: string): boolean => text.replace(COMMENTS, '').trim() !== ''

/** The commands of a file of SQL in their order, to be sent one at a time: a layer before the database may read only the first. */
export const commandsOf = (text: string): string[] => {
  const commands: string[] = []
  let start = 0
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (piece !== ';') continue
    commands.push(text.slice(start, index).trim())
    start = index + 1
  }
  return [...commands, text.slice(start).trim()].filter(isCommand)
}
