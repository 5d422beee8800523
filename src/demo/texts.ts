/** The parts of a Markdown text, each with its first-level heading. */
export const parseSections = (text: string): (readonly [heading: string, body: string])[] =>
  text
    .split(/^# /m)
    .slice(1)
    .map(section => {
      const [heading = '', ...lines] = section.split('\n')
      return [heading, lines.join('\n').trim()]
    })
