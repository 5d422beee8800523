/** An import that leads to another file, and the line on which it stands. */
export type Edge = { to: string; line: number }

/** A way from a file back to itself; the line is that of the import it sets out with. */
export type Circle = { path: string[]; line: number }

/** One circle for every import that closes one, found by walking the files depth first. */
export const circles = (graph: Map<string, Edge[]>): Circle[] => {
  const found: Circle[] = []
  const done = new Set<string>()
  const walk = (file: string, way: string[]) => {
    if (done.has(file)) return
    for (const { to, line } of graph.get(file) ?? []) {
      const start = [...way, file].indexOf(to)
      if (start === -1) walk(to, [...way, file])
      else found.push({ path: [file, ...[...way, file].slice(start)], line })
    }
    done.add(file)
  }
  for (const file of [...graph.keys()].sort()) walk(file, [])
  return found
}
