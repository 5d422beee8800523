import { listImports } from './check-imports.ts'
import { filesUnder, readText, report, type Violation } from './violations.ts'

/** A file with the specifiers that it imports. */
type File = {
  readonly path: string
  readonly imports: readonly { readonly specifier: string; readonly line: number }[]
}

// `pg` of `pg/lib/client`, `@aws-sdk/client-s3` of what is below it.
const parsePackage = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const isPackage = (specifier: string): boolean => /^[a-z@]/.test(specifier) && !specifier.startsWith('node:')

/** Violations of files that import a package which is not there after `npm ci --omit=dev`; tests may import any. */
export const packageViolations = (
  files: readonly File[],
  dependencies: Readonly<Record<string, string>>,
): Violation[] =>
  files
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => isPackage(specifier) && !Object.hasOwn(dependencies, parsePackage(specifier)))
        .map(({ specifier, line }) => ({
          file: path,
          line,
          message: `${parsePackage(specifier)} is not among the dependencies of package.json, and npm ci --omit=dev does not install it`,
        })),
    )

if (import.meta.main) {
  const root = process.argv[2] ?? process.cwd()
  const paths = ['src', 'bin'].flatMap(folder => filesUnder(root, folder)).filter(path => /\.m?[jt]s$/.test(path))
  const files = paths.map(path => ({ path, imports: listImports(readText(root, path)) }))
  const { dependencies } = JSON.parse(readText(root, 'package.json'))
  report(`packages: ${files.length} files import only what an installation without development dependencies has`, [
    ...packageViolations(files, dependencies),
  ])
}
