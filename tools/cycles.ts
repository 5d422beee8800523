/** An import of another file, and its line. */
type Edge = { to: string; line: number }

/** The files of an import cycle, the first one again at the end; the line is that of the first import. */
type Cycle = { path: string[]; line: number }

/** One cycle for every import that closes one, found by a depth-first search. */
export const cycles = (graph: Map<string, Edge[]>): Cycle[] => {
  const found: Cycle[] = []
  const visited = new Set<string>()
  const visit = (file: string, path: string[]) => {
    if (visited.has(file)) return
    for (const { to, line } of graph.get(file) ?? []) {
      const start = [...path, file].indexOf(to)
      if (start === -1) visit(to, [...path, file])
      else found.push({ path: [file, ...[...path, file].slice(start)], line })
    }
    visited.add(file)
  }
  for (const file of [...graph.keys()].sort()) visit(file, [])
  return found
}
