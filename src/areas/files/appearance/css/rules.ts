import type { Atrule, AttributeSelector, CssNode, Declaration, PseudoClassSelector, StyleSheet } from 'css-tree'
import { fontFaces, fontFamilies } from '#src/kit/fonts.ts'
import {
  atRules,
  attributes,
  combinators,
  functions,
  nodeTypes,
  positions,
  properties,
  pseudoClasses,
  pseudoElements,
} from './allowed.rules.ts'

/** The class of the content of the site, below which every selector of the CSS of a school is put. */
const CONTENT = 'school-content'

const MAX_BYTES = 50_000
const MAX_RULES = 2000
const MAX_DEPTH = 24
const MAX_ERRORS = 20

// Why CSS is refused, with the line.
type CssError = { readonly line: number; readonly message: string }

/** CSS that passed every check, as the generator writes it; or what is wrong with it. */
type Checked = { readonly css: string } | { readonly errors: readonly CssError[] }

type CssTree = typeof import('css-tree')

// Loaded with the first use, since most processes never need it.
const load = (): Promise<CssTree> => import('css-tree')

const countLines = (source: string, at: number): number => source.slice(0, at).split('\n').length

// A backslash spells `url(` and `@import` in a thousand ways, and no other of these characters has a use in CSS.
const FORBIDDEN = /[\\\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/u

const errorOfText = (source: string): CssError | undefined => {
  if (Buffer.byteLength(source) > MAX_BYTES) return { line: 1, message: `has more than ${MAX_BYTES} bytes` }
  const at = source.replaceAll(/[\t\n\r]/g, ' ').search(FORBIDDEN)
  if (at < 0) return undefined
  const message = source[at] === '\\' ? 'contains a backslash; write the character itself' : 'has a control character'
  return { line: countLines(source, at), message }
}

// The parser recurses into each bracket; one in a string or a comment is no bracket.
const isTooDeep = ({ tokenize, tokenTypes: types }: CssTree, source: string): boolean => {
  const closers = new Map([
    [types.Function, types.RightParenthesis],
    [types.LeftParenthesis, types.RightParenthesis],
    [types.LeftSquareBracket, types.RightSquareBracket],
    [types.LeftCurlyBracket, types.RightCurlyBracket],
  ])
  const open: number[] = []
  let deepest = 0
  tokenize(source, type => {
    if (type === open.at(-1)) open.pop()
    const closer = closers.get(type)
    if (closer !== undefined) open.push(closer)
    deepest = Math.max(deepest, open.length)
  })
  return deepest > MAX_DEPTH
}

const errorOfAttribute = ({ name, flags }: AttributeSelector): string | undefined => {
  if (!attributes.has(name.name)) return `[${name.name}] is not an attribute that a selector may name`
  return flags === null || flags === 'i' ? undefined : `the flag ${flags} is not known`
}

const errorOfPseudoClass = ({ name }: PseudoClassSelector): string | undefined =>
  pseudoClasses.has(name) ? undefined : `:${name} is not allowed`

const ourFonts: ReadonlySet<string> = new Set(
  Object.values(fontFamilies).flatMap(family => ('files' in family ? [family.name] : [])),
)

// All that an @font-face may say is the name of one of our fonts: `@font-face { font-family: "Lora" }`.
const findFamily = ({ block }: Atrule): string | undefined => {
  const [only, ...others] = block?.children.toArray() ?? []
  if (only?.type !== 'Declaration' || others.length > 0 || only.property !== 'font-family') return undefined
  const [value, ...rest] = only.value.type === 'Value' ? only.value.children.toArray() : []
  return value?.type === 'String' && rest.length === 0 ? value.value : undefined
}

const errorOfAtRule = (node: Atrule): string | undefined => {
  if (!atRules.has(node.name)) return `@${node.name} is not allowed`
  if (node.block === null) return `@${node.name} needs a block`
  if (node.name === 'font-face') {
    const family = findFamily(node)
    return family !== undefined && ourFonts.has(family)
      ? undefined
      : `@font-face may have only the font-family of one of our fonts: ${[...ourFonts].join(', ')}`
  }
  const isOnlyRules = node.block.children.toArray().every(({ type }) => type === 'Rule' || type === 'Atrule')
  return isOnlyRules ? undefined : `@${node.name} may contain only rules`
}

const errorOfDeclaration = ({ property, value, important }: Declaration): string | undefined => {
  const isCustom = /^--[a-z][a-z0-9-]*$/.test(property)
  if (!isCustom && !properties.has(property)) return `the property ${property} is not allowed`
  if (typeof important === 'string') return `!${important} is not known`
  if (property !== 'position') return undefined
  const [only, ...others] = value.type === 'Value' ? value.children.toArray() : []
  return only?.type === 'Identifier' && others.length === 0 && positions.has(only.name)
    ? undefined
    : `position may be only ${[...positions].join(', ')}`
}

const NAME = /^-?-?[a-zA-Z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}-]*$/u

// What is wrong with one node, whatever surrounds it.
const errorOfNode = (node: CssNode): string | undefined => {
  if (!nodeTypes.has(node.type))
    return node.type === 'Url' ? 'url() is not allowed' : 'cannot be read as CSS that is allowed here'
  switch (node.type) {
    case 'Atrule':
      return errorOfAtRule(node)
    case 'Declaration':
      return errorOfDeclaration(node)
    case 'Function':
      return functions.has(node.name) ? undefined : `the function ${node.name}() is not allowed`
    case 'PseudoClassSelector':
      return errorOfPseudoClass(node)
    case 'PseudoElementSelector':
      return pseudoElements.has(node.name) && node.children === null ? undefined : `::${node.name} is not allowed`
    case 'AttributeSelector':
      return errorOfAttribute(node)
    case 'Combinator':
      return combinators.has(node.name) ? undefined : `the combinator ${node.name} is not allowed`
    case 'TypeSelector':
      return /^(?:\*|[a-zA-Z][a-zA-Z0-9-]*)$/.test(node.name) ? undefined : `${node.name} is not an element`
    case 'ClassSelector':
    case 'IdSelector':
      return NAME.test(node.name) ? undefined : `${node.name} is not a name`
    case 'Identifier':
      return NAME.test(node.name) ? undefined : `${node.name} is not a name`
    case 'String':
      return /["'<>]/.test(node.value) ? 'a string may not contain quotes or angle brackets' : undefined
    default:
      return undefined
  }
}

// Strings are only what is shown and the names of fonts, so that none can become an address.
const mayHaveStrings = (declaration: Declaration | null): boolean =>
  declaration !== null && ['content', 'font-family'].includes(declaration.property)

// What begins with a combinator would be about elements beside the content.
const isRelative = (node: CssNode): boolean =>
  node.type === 'Rule' &&
  node.prelude.type === 'SelectorList' &&
  node.prelude.children.some(selector => selector.type === 'Selector' && selector.children.first?.type === 'Combinator')

const errorsOfTree = (tree: CssTree, ast: CssNode): CssError[] => {
  const errors: CssError[] = []
  let rules = 0
  tree.walk(ast, function visit(node) {
    const refuse = (message: string) => errors.push({ line: node.loc?.start.line ?? 1, message })
    const message = errorOfNode(node)
    if (message !== undefined) refuse(message)
    if (node.type === 'Rule' && ++rules === MAX_RULES + 1) refuse(`there are more than ${MAX_RULES} rules`)
    if (node.type === 'Rule' && this.rule !== null) refuse('a rule may not contain rules')
    if (node.type === 'Atrule' && this.rule !== null) refuse(`a rule may not contain @${node.name}`)
    if (node.type === 'String' && !mayHaveStrings(this.declaration))
      refuse('a string is allowed only in content and font-family')
    if (isRelative(node)) refuse('a selector may not begin with a combinator')
  })
  return errors
}

const parse = (tree: CssTree, source: string): { readonly ast: StyleSheet } | { readonly errors: CssError[] } => {
  const errors: CssError[] = []
  try {
    const ast = tree.parse(source, {
      positions: true,
      parseCustomProperty: true,
      onParseError: ({ message, ...error }) =>
        errors.push({ line: Number(Reflect.get(error, 'line') ?? 1), message: message.toLowerCase() }),
    })
    if (errors.length > 0) return { errors }
    return ast.type === 'StyleSheet' ? { ast } : { errors: [{ line: 1, message: 'is not a style sheet' }] }
  } catch {
    return { errors: [{ line: 1, message: 'cannot be read as CSS' }] }
  }
}

const withoutComments = (tree: CssTree, ast: StyleSheet): void =>
  tree.walk(ast, (node, item, list) => {
    if (node.type === 'Comment' && item !== null && list !== null) list.remove(item)
  })

// One rule, and one declaration, on a line, so that people can read and change it.
const written = (tree: CssTree, ast: StyleSheet): string => {
  const listLines = (node: CssNode, indent: string): string[] => {
    if ((node.type !== 'Rule' && node.type !== 'Atrule') || node.block === null)
      return [`${indent}${tree.generate(node)};`]
    const prelude = node.prelude === null ? '' : tree.generate(node.prelude)
    const head = node.type === 'Atrule' ? `@${node.name} ${prelude}`.trimEnd() : prelude
    const inside = node.block.children.toArray().flatMap(child => listLines(child, `${indent}  `))
    return [`${indent}${head} {`, ...inside, `${indent}}`]
  }
  return ast.children
    .toArray()
    .flatMap(node => listLines(node, ''))
    .join('\n')
}

const checkOnce = (tree: CssTree, source: string): Checked => {
  const inText = errorOfText(source)
  if (inText !== undefined) return { errors: [inText] }
  if (isTooDeep(tree, source))
    return { errors: [{ line: 1, message: `nests brackets deeper than ${MAX_DEPTH} levels` }] }
  const parsed = parse(tree, source)
  if ('errors' in parsed) return { errors: parsed.errors.slice(0, MAX_ERRORS) }
  withoutComments(tree, parsed.ast)
  const errors = errorsOfTree(tree, parsed.ast)
  return errors.length > 0 ? { errors: errors.slice(0, MAX_ERRORS) } : { css: written(tree, parsed.ast) }
}

/**
 * Checks the CSS of a school against the lists of what is allowed, and returns it as the generator writes the checked tree.
 * Its output passes the same checks and does not change again.
 */
export const checkCss = async (source: string): Promise<Checked> => {
  const tree = await load()
  const checked = checkOnce(tree, source)
  if ('errors' in checked || checked.css === source) return checked
  if (Buffer.byteLength(checked.css) > MAX_BYTES)
    return {
      errors: [
        { line: 1, message: `has more than ${MAX_BYTES} bytes with one declaration on a line, as it is stored` },
      ],
    }
  // What is stored is read again by publishing and by browsers, so it has to mean what was checked.
  const again = checkOnce(tree, checked.css)
  const isStable = 'css' in again && again.css === checked.css
  return isStable ? checked : { errors: [{ line: 1, message: 'cannot be written as it was read' }] }
}

/** Checked CSS as a browser gets it: every selector below the class of the content, and our fonts with their files. */
export const scopedCss = async (css: string): Promise<string> => {
  if (css === '') return ''
  const tree = await load()
  const parsed = parse(tree, css)
  if ('errors' in parsed) throw new Error('the CSS of an appearance was not checked')
  const families = new Set<string>()
  tree.walk(parsed.ast, {
    visit: 'Atrule',
    enter(node, item, list) {
      if (node.name !== 'font-face') return
      families.add(findFamily(node) ?? '')
      list?.remove(item)
    },
  })
  tree.walk(parsed.ast, {
    visit: 'Rule',
    enter(node) {
      if (node.prelude.type !== 'SelectorList') return
      for (const selector of node.prelude.children.toArray()) {
        if (selector.type !== 'Selector') continue
        selector.children.prependData({ type: 'Combinator', name: ' ' })
        selector.children.prependData({ type: 'ClassSelector', name: CONTENT })
      }
    },
  })
  const keys = Object.entries(fontFamilies).flatMap(([key, { name }]) => (families.has(name) ? [key] : []))
  return [fontFaces(keys), tree.generate(parsed.ast)].filter(part => part !== '').join('\n')
}
