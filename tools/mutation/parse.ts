import { join } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

/** The compiler with a project open. */
export type Compiler = {
  /** The syntax tree of a file of the project; throws where the project has no such file. */
  parse(path: string): SourceFile
  /** What the compiler reports for a file after it changed on disk. */
  listErrors(path: string): readonly string[]
  close(): void
}

const open = (api: API, config: string): Compiler => {
  const project = (changed: readonly string[] = []) => {
    const snapshot = api.updateSnapshot({ openProjects: [config], fileChanges: { changed: [...changed] } })
    const opened = snapshot.getProject(config)
    if (opened === undefined) throw new Error(`${config} is no project`)
    return opened.program
  }
  return {
    parse: path => {
      const file = project().getSourceFile(path)
      if (file === undefined) throw new Error(`${path} is not in the project`)
      return file
    },
    listErrors: path => {
      const program = project([path])
      return [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)].map(({ text }) => text)
    },
    close: () => api.close(),
  }
}

/** Opens the project of a folder. */
export const openCompiler = (folder: string): Compiler => open(new API({ cwd: folder }), join(folder, 'tsconfig.json'))

/** Returns the syntax tree of a text that is not in a file. */
export const parseText = (text: string): SourceFile => {
  const files = { '/tsconfig.json': '{"compilerOptions":{"noLib":true,"types":[]},"files":["a.ts"]}', '/a.ts': text }
  const compiler = open(new API({ cwd: '/', fs: createVirtualFileSystem(files) }), '/tsconfig.json')
  try {
    const file = compiler.parse('/a.ts')
    // The tree is decoded when it is read.
    file.forEachChild(() => undefined)
    return file
  } finally {
    compiler.close()
  }
}
