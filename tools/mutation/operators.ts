import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import {
  isArrayLiteralExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isImportDeclaration,
  isNewExpression,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTypeNode,
} from 'typescript/unstable/ast/is'
import { mutateRegex, mutateSql } from './text-operators.ts'

/** One change: the source from `start` to `end` becomes `text`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string; readonly name: string }

type Operator = (node: Node, file: SourceFile) => readonly Edit[]

const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
}

const computeStart = (node: Node, file: SourceFile): number => node.getStart(file)

const readText = (node: Node, file: SourceFile): string => file.text.slice(computeStart(node, file), node.end)

const replaced = (node: Node, file: SourceFile, name: string, texts: readonly string[]): Edit[] =>
  texts.map(text => ({ start: computeStart(node, file), end: node.end, text, name }))

const binary: Operator = (node, file) => {
  if (!isBinaryExpression(node)) return []
  const { left, operatorToken, right } = node
  if (operatorToken.kind === SyntaxKind.QuestionQuestionToken)
    return replaced(node, file, 'drop default', [readText(left, file), readText(right, file)])
  return replaced(operatorToken, file, 'operator', OPPOSITES[readText(operatorToken, file)] ?? [])
}

const condition: Operator = (node, file) => {
  const tested = isIfStatement(node) ? node.expression : isConditionalExpression(node) ? node.condition : undefined
  return tested === undefined ? [] : replaced(tested, file, 'condition', ['true', 'false'])
}

const negation: Operator = (node, file) =>
  isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken
    ? replaced(node, file, 'negation', [readText(node.operand, file)])
    : []

const number: Operator = (node, file) => {
  if (!isNumericLiteral(node)) return []
  const value = Number(readText(node, file).replaceAll('_', ''))
  const others = [value + 1, ...(value > 0 ? [value - 1] : []), ...(value > 1 ? [value * 10] : [])]
  return replaced(node, file, 'number', others.map(String))
}

const boolean: Operator = (node, file) => {
  if (node.kind === SyntaxKind.TrueKeyword) return replaced(node, file, 'boolean', ['false'])
  return node.kind === SyntaxKind.FalseKeyword ? replaced(node, file, 'boolean', ['true']) : []
}

const statement: Operator = (node, file) =>
  isExpressionStatement(node) ? replaced(node, file, 'remove statement', [';']) : []

const WHO = ['anyone', 'self', 'holder', 'lecturer_of', 'staff', 'owner']
// What is written for people to read; a test that compares it would only say it again.
const PROSE = ['summary', 'description', 'title', 'explanation', 'says', 'sentence', 'money', 'mail', 'access']

const isProse = (node: Node): boolean => {
  const { parent } = node
  if (parent === undefined || isImportDeclaration(parent) || isTypeNode(parent) || isNewExpression(parent)) return true
  return isPropertyAssignment(parent) && (parent.name === node || PROSE.includes(parent.name.getText()))
}

const string: Operator = (node, file) => {
  if (!isStringLiteral(node) || isProse(node)) return []
  const { text } = node
  if (text.split(' ').length > 2) return []
  if (isPropertyAssignment(node.parent) && node.parent.name.getText(file) === 'who')
    return replaced(
      node,
      file,
      'who',
      WHO.filter(who => who !== text).map(who => `'${who}'`),
    )
  return replaced(node, file, 'string', [text === '' ? "'mutated'" : "''"])
}

// The comma is removed with the element.
const element: Operator = (node, file) => {
  if (!isArrayLiteralExpression(node)) return []
  return node.elements.map(each => {
    const rest = /^\s*,/.exec(file.text.slice(each.end))?.[0].length ?? 0
    return { start: computeStart(each, file), end: each.end + rest, text: '', name: 'remove element' }
  })
}

const OPTIONAL_CALLS = ['filter', 'slice', 'trim', 'toLowerCase', 'toUpperCase', 'sort', 'toSorted', 'reverse', 'catch']
const INVERSE_CALLS: Readonly<Record<string, string>> = { some: 'every', every: 'some', max: 'min', min: 'max' }

const call: Operator = (node, file) => {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  const method = readText(name, file)
  const inverse = INVERSE_CALLS[method]
  if (inverse !== undefined) return replaced(name, file, 'call', [inverse])
  return OPTIONAL_CALLS.includes(method) ? replaced(node, file, 'drop call', [readText(expression, file)]) : []
}

const regex: Operator = (node, file) =>
  isRegularExpressionLiteral(node) ? replaced(node, file, 'regex', mutateRegex(readText(node, file))) : []

const sql: Operator = (node, file) => {
  if (!isTaggedTemplateExpression(node) || readText(node.tag, file) !== 'sql') return []
  const start = computeStart(node.template, file)
  return mutateSql(readText(node.template, file)).map(edit => ({
    ...edit,
    start: start + edit.start,
    end: start + edit.end,
  }))
}

const OPERATORS: readonly Operator[] = [
  binary,
  condition,
  negation,
  number,
  boolean,
  statement,
  string,
  element,
  call,
  regex,
  sql,
]

/** Every edit that the operators make of a file, in the order of the text. */
export const listEdits = (file: SourceFile): Edit[] => {
  const found: Edit[] = []
  const visit = (node: Node): void => {
    if (isTypeNode(node) || isImportDeclaration(node)) return
    for (const operator of OPERATORS) found.push(...operator(node, file))
    node.forEachChild(visit)
  }
  visit(file)
  return found
    .filter(({ start, end, text }) => file.text.slice(start, end) !== text)
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

/** The text after an edit. */
export const applied = (text: string, edit: Edit): string =>
  text.slice(0, edit.start) + edit.text + text.slice(edit.end)
