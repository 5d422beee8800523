import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { domains } from './check-imports.ts'
import { lineAt, tokens } from './source.ts'
import { filesUnder, readText, report, type Violation } from './violations.ts'

/** A text that may cite something: a document, or one comment or string of a source file. */
type Passage = { file: string; kind: 'document' | 'comment' | 'string'; text: string; at: number; whole: string }

/** What the rules need to know of the tree. */
type Tree = { root: string; decisions: Set<string>; cases: Set<string>; headings(document: string): Set<string> }

type Rule = (passage: Passage, tree: Tree) => Violation[]

const FOLDERS = ['src', 'tests', 'testing', 'tools', 'bench', 'bin', 'migrations', 'docs']
const SECURITY = 'docs/security.md'
const INDEX = 'docs/decisions/README.md'

/** Generated plans and the history of releases name things that are no longer there. */
const SKIPPED = /^(?:docs\/plans\/|CHANGELOG\.md$)/
const TEST = /\.(?:test|prove|browser)\.ts$/
const GAP = String.raw`(?:\s|\*|//)+`

/** Finds every citation of a decision, a path, a section or a case that does not exist; empty when there is none. */
export const checkCitations = (root: string): Violation[] => {
  const files = citingFiles(root)
  const tree = readTree(root)
  const passages = files.flatMap(file => listPassages(file, readText(root, file)))
  const rules = [decisionNumbers, links, paths, bareDocuments, sections, unknownLists, caseNumbers]
  return [
    ...passages.flatMap(passage => rules.flatMap(rule => rule(passage, tree))),
    ...indexOfDecisions(tree),
    ...proofsOfCases(root),
  ]
}

const citingFiles = (root: string): string[] => [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'STYLE.md'].filter(file => isThere(root, file)),
  ...FOLDERS.flatMap(folder => filesUnder(root, folder)).filter(
    file => /\.(?:ts|mjs|sql|md)$/.test(file) && !SKIPPED.test(file) && !file.includes('/node_modules/'),
  ),
]

const readTree = (root: string): Tree => {
  const numbers = filesUnder(root, 'docs/decisions').flatMap(file => /\/(\d{4})-[^/]*\.md$/.exec(file)?.[1] ?? [])
  const security = isThere(root, SECURITY) ? readText(root, SECURITY) : ''
  return {
    root,
    decisions: new Set(numbers.map(number => String(Number(number)))),
    cases: new Set([...security.matchAll(/^\| ([A-Z]-\d\d) \|/gm)].map(([, number = '']) => number)),
    headings: document =>
      new Set([...readText(root, document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)),
  }
}

const listPassages = (file: string, text: string): Passage[] => {
  const passage = (kind: Passage['kind'], part: string, at: number): Passage => ({
    file,
    kind,
    text: part,
    at,
    whole: text,
  })
  if (file.endsWith('.md')) return [passage('document', withoutExamples(text), 0)]
  if (file.endsWith('.sql')) return [...text.matchAll(/--.*$/gm)].map(hit => passage('comment', hit[0], hit.index))
  return tokens(text).flatMap(({ kind, text: part, at }) => {
    if (kind === 'comment') return [passage('comment', part, at)]
    return kind === 'string' || kind === 'template' ? [passage('string', part, at)] : []
  })
}

// Blocks of code in documents are examples, but for commands: those name real files.
const withoutExamples = (text: string): string =>
  text.replace(/^```(?!sh\n)[^\n]*\n[\s\S]*?^```$/gm, block => block.replace(/[^\n]/g, ' '))

const found = (
  passage: Passage,
  pattern: RegExp,
  buildMessage: (hit: RegExpExecArray) => string | undefined,
): Violation[] =>
  [...passage.text.matchAll(pattern)].flatMap(hit => {
    const message = buildMessage(hit)
    return message === undefined
      ? []
      : [{ file: passage.file, line: lineAt(passage.whole, passage.at + hit.index), message }]
  })

const DECISIONS = new RegExp(String.raw`\b[Dd]ecisions?${GAP}(\d+(?:(?:,|${GAP}and)${GAP}\d+)*)`, 'g')

const decisionNumbers: Rule = (passage, { decisions }) =>
  found(passage, DECISIONS, ([, numbers = '']) => {
    const unknown = (numbers.match(/\d+/g) ?? []).filter(number => !decisions.has(String(Number(number))))
    return unknown.length === 0 ? undefined : `there is no decision ${unknown.join(', ')} in docs/decisions`
  })

const links: Rule = (passage, { root }) => {
  if (passage.kind !== 'document') return []
  return found(passage, /\]\(([^)\s#]+)(?:#[^)]*)?\)/g, ([, target = '']) => {
    if (/^(?:[a-z]+:|\/|\{)/.test(target)) return undefined
    return isThere(root, posix.join(posix.dirname(passage.file), target)) ? undefined : `${target} leads nowhere`
  })
}

const PATH = new RegExp(String.raw`(?<![\w/.#{}@-])(?:\./)?((?:${FOLDERS.join('|')})/[\w./{},*@…-]*[\w}*])`, 'g')
const IN_BACKTICKS = /`((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs|md|sql|txt|json))`/g

const DOMAINS = Object.keys(domains).map(domain => `src/areas/${domain}`)

const paths: Rule = (passage, { root }) => {
  if (passage.kind === 'string') return []
  const beside = posix.dirname(passage.file)
  const missing = (path: string, places: string[]) =>
    places.some(place => isThere(root, posix.join(place, path))) ? undefined : `there is no ${path}`
  const written = found(passage, PATH, ([, path = '']) =>
    isPattern(path) ? undefined : missing(path, ['', 'src', beside]),
  )
  if (passage.kind !== 'document') return written
  const short = found(passage, IN_BACKTICKS, ([, path = '']) =>
    FOLDERS.some(folder => path.startsWith(`${folder}/`)) ? undefined : missing(path, ['', 'src', ...DOMAINS, beside]),
  )
  return [...written, ...short]
}

// A name with a placeholder means several files.
const isPattern = (path: string): boolean => /[*{}…]|NNNN|NAME/.test(path)

const bareDocuments: Rule = (passage, { root }) => {
  const name = passage.kind === 'string' ? /(?<![\w/.-])([\w-]+\.md)(?=,? [\w])/g : /(?<![\w/.-])([\w-]+\.md)\b/g
  const beside = posix.dirname(passage.file)
  return found(passage, name, ([, file = '']) =>
    isThere(root, file) || isThere(root, posix.join(beside, file))
      ? undefined
      : `there is no ${file} here; name its folder`,
  )
}

const sections: Rule = (passage, { root, headings }) =>
  found(passage, /(docs\/[\w-]+\.md), ([A-Z][\w ]*):/g, ([, document = '', heading = '']) =>
    isThere(root, document) && headings(document).has(heading) ? undefined : `${document} has no section "${heading}"`,
  )

// Numbered rules and tables of a specification that is not in the repository.
const unknownLists: Rule = passage =>
  found(passage, /\b(?:[Rr]ules? \d+|[A-F]\.\d)\b/g, ([cited]) => `${cited} is in no document of the repository`)

const caseNumbers: Rule = (passage, { cases }) => {
  if (!TEST.test(passage.file)) return []
  return found(passage, /\b([A-KS]-\d\d)\b/g, ([, number = '']) =>
    cases.has(number) ? undefined : `${SECURITY} has no case ${number}`,
  )
}

const indexOfDecisions = ({ root }: Tree): Violation[] => {
  const files = filesUnder(root, 'docs/decisions').filter(file => /\/\d{4}-/.test(file))
  if (files.length === 0) return []
  const index = isThere(root, INDEX) ? readText(root, INDEX) : ''
  return files
    .filter(file => !index.includes(`(${posix.basename(file)})`))
    .map(file => ({ file, line: 1, message: `${INDEX} does not list this decision` }))
}

// Each file that a case names as its proof carries the number of the case.
const proofsOfCases = (root: string): Violation[] => {
  if (!isThere(root, SECURITY)) return []
  return readText(root, SECURITY)
    .split('\n')
    .flatMap((row, index) => {
      const number = /^\| ([A-Z]-\d\d) \|/.exec(row)?.[1]
      if (number === undefined) return []
      return [...row.matchAll(/`([^`]+\.ts)`/g)]
        .map(([, file = '']) => file)
        .filter(file => isThere(root, file) && !readText(root, file).includes(number))
        .map(file => ({ file: SECURITY, line: index + 1, message: `${file} does not carry ${number}` }))
    })
}

const isThere = (root: string, path: string): boolean => existsSync(posix.join(root, path))

if (import.meta.main) {
  const root = process.argv[2] ?? process.cwd()
  report(`citations: ${citingFiles(root).length} files cite only what exists`, checkCitations(root))
}
