import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { applied, listEdits } from './mutation/operators.ts'
import { parseText } from './mutation/parse.ts'
import { parts } from './mutation/parts.ts'
import { mutateRegex } from './mutation/text-operators.ts'

const ROOT = join(import.meta.dirname, '..')

/** What becomes of a text, by each edit of these operators. */
const mutants = (text: string, ...names: readonly string[]): string[] =>
  listEdits(parseText(text))
    .filter(({ name }) => names.includes(name))
    .map(edit => applied(text, edit))

suite('mutations of code', () => {
  test('operators are replaced by their neighbours and opposites', () => {
    assert.deepEqual(mutants('x = a < b && c === d', 'operator'), [
      'x = a <= b && c === d',
      'x = a >= b && c === d',
      'x = a < b || c === d',
      'x = a < b && c !== d',
    ])
    assert.deepEqual(mutants('x = a + b * c', 'operator'), ['x = a - b * c', 'x = a + b / c'])
    assert.deepEqual(mutants('x = a ?? b', 'drop default'), ['x = a', 'x = b'])
  })

  test('conditions hold always and never, and lose their negation', () => {
    const text = 'if (!isThere) throw error'
    assert.deepEqual(mutants(text, 'condition', 'negation'), [
      'if (true) throw error',
      'if (false) throw error',
      'if (isThere) throw error',
    ])
    assert.deepEqual(mutants('x = a ? b : c', 'condition'), ['x = true ? b : c', 'x = false ? b : c'])
  })

  test('numbers are one more, one less and tenfold, truths the contrary', () => {
    assert.deepEqual(mutants('x = 3_000', 'number'), ['x = 3001', 'x = 2999', 'x = 30000'])
    assert.deepEqual(mutants('x = 0', 'number'), ['x = 1'])
    assert.deepEqual(mutants('x = true', 'boolean'), ['x = false'])
  })

  test('statements, elements of lists and calls that only choose or order are left out', () => {
    assert.deepEqual(mutants('await audit(entry)', 'remove statement'), [';'])
    assert.deepEqual(mutants('x = [one(), ...rest]', 'remove element'), ['x = [ ...rest]', 'x = [one(), ]'])
    assert.deepEqual(mutants('x = all.filter(isOwn)', 'drop call'), ['x = all'])
    assert.deepEqual(mutants('x = all.some(isOwn)', 'call'), ['x = all.every(isOwn)'])
  })

  test('strings are emptied, but not prose, types, imports and the names of members', () => {
    assert.deepEqual(mutants("x = 'active'", 'string'), ["x = ''"])
    for (const text of [
      "import a from 'a.ts'",
      "throw new Refusal('gone')",
      "x = 'There is nothing here'",
      "x = { summary: 'List' }",
      "type A = 'a'",
    ])
      assert.deepEqual(mutants(text, 'string'), [], text)
    assert.equal(mutants("x = { who: 'staff' }", 'who').length, 5)
  })
})

suite('mutations of SQL', () => {
  // «id» marks a hole.
  const sqlMutants = (text: string, name: string): string[] =>
    mutants(`x = sql\`${text.replaceAll('«', '$' + '{').replaceAll('»', '}')}\``, name).map(each =>
      each
        .slice('x = sql`'.length, -1)
        .replaceAll('$' + '{', '«')
        .replaceAll('}', '»'),
    )

  test('each condition is dropped on its own, with the content of its parentheses and holes', () => {
    const text = 'select a from b where id = «id» and (c is null or d > «f(g > 1)») order by a'
    assert.deepEqual(sqlMutants(text, 'drop SQL condition'), [
      'select a from b where true and (c is null or d > «f(g > 1)») order by a',
      'select a from b where id = «id» and true order by a',
      'select a from b where id = «id» and (c is null or false) order by a',
    ])
  })

  test('the condition of the school is kept: row-level security would hide its removal', () => {
    assert.deepEqual(sqlMutants('delete from b where school_id = «id» and c = 1', 'drop SQL condition'), [
      'delete from b where school_id = «id» and true',
    ])
  })

  test('and of a range is no condition of its own', () => {
    assert.deepEqual(sqlMutants('select from b where c between 1 and 2 and d', 'drop SQL condition'), [
      'select from b where true and d',
      'select from b where c between 1 and 2 and true',
    ])
  })

  test('comparisons, connectives, literals and numbers are changed, outside of holes', () => {
    assert.deepEqual(sqlMutants('select a <= b, c is null', 'SQL comparison'), [
      'select a < b, c is null',
      'select a <= b, c is not null',
    ])
    assert.deepEqual(sqlMutants('select where a and b', 'SQL and/or'), ['select where a or b'])
    assert.deepEqual(sqlMutants("select 'active', interval '14 days'", 'SQL string'), [
      "select '', interval '14 days'",
      "select 'active', interval '140 days'",
    ])
    assert.deepEqual(sqlMutants('select a - 1, «x < 2»', 'SQL number'), ['select a - 2, «x < 2»'])
  })
})

test('a regular expression loses an anchor, its flag g, or one character of a class that is no range', () => {
  assert.deepEqual(mutateRegex('/[&"]/g'), ['/["]/g', '/[&]/g', '/[&"]/'])
  assert.deepEqual(mutateRegex('/^[a-z_]+$/'), ['/[a-z_]+$/', '/^[a-z_]+/', '/^[a-z]+$/'])
  assert.deepEqual(mutateRegex(String.raw`/[\u200e\]]/`), [String.raw`/[\]]/`, String.raw`/[\u200e]/`])
})

test('every pattern of the parts names files that are there', () => {
  for (const [name, { sources, tests }] of Object.entries(parts))
    for (const pattern of [...sources, ...tests])
      assert.ok(globSync(pattern, { cwd: ROOT }).length > 0, `${name}: ${pattern}`)
})
