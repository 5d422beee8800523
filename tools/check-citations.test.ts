import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkCitations } from './check-citations.ts'
import { violationsIn } from './tree.ts'

// Numbers and names are put together here, so that this file itself cites nothing that does not exist.
const guide = 'docs/guide.md'
const decision = (numbers: string): string => `decision${/\D/.test(numbers) ? 's' : ''} ${numbers}`
const rule = ['rule', '41'].join(' ')
const table = ['D', '3'].join('.')
const existingCase = ['A', '01'].join('-')
const unknown = ['A', '02'].join('-')
const section = (heading: string): string => `const why = '${guide}, ${heading}: why'\n`
const gone = ['gone', 'md'].join('.')

const base = {
  'docs/decisions/README.md': '[1](0001-one.md) [28](0028-two.md)\n',
  'docs/decisions/0001-one.md': '# 1. One\n',
  'docs/decisions/0028-two.md': '# 28. Two\n',
  'docs/security.md': `| ${existingCase} | something | refused | \`tests/a.test.ts\` |\n`,
  'docs/guide.md': '# Guide\n\n## First steps\n',
  'tests/a.test.ts': `test('${existingCase} refuses', () => {})\n`,
}

type Case = { rule: string; file: string; bad: [text: string, message: string][]; good: string[] }

const cases: Case[] = [
  {
    rule: 'a decision has a file, in a document',
    file: 'ARCHITECTURE.md',
    bad: [
      [decision('2'), 'there is no decision 2 in docs/decisions'],
      [decision('1, 2 and 28'), 'there is no decision 2 in docs/decisions'],
      [`Two ${decision('28\nand 3')}`, 'there is no decision 3 in docs/decisions'],
    ],
    good: [decision('1'), decision('1 and 28'), `the same decision within 60 s`],
  },
  {
    rule: 'a decision has a file, in a comment and in a string',
    file: 'src/a.ts',
    bad: [
      [`// ${decision('2')}\n`, 'there is no decision 2 in docs/decisions'],
      [`/**\n * See ${decision('1,\n * 7')}\n */\n`, 'there is no decision 7 in docs/decisions'],
      [`const because = '${decision('2')}'\n`, 'there is no decision 2 in docs/decisions'],
    ],
    good: [`// ${decision('28')}\n`, `const decision = 2\n`],
  },
  {
    rule: 'a link leads to a file',
    file: 'docs/start.md',
    bad: [['[there](decisions/0002-two.md)', 'decisions/0002-two.md leads nowhere']],
    good: ['[there](decisions/0001-one.md)', '[there](guide.md#first-steps)', '[there](https://example.org/x)'],
  },
  {
    rule: 'a path leads to a file or a folder',
    file: 'docs/start.md',
    bad: [
      ['see `src/b.ts`', 'there is no src/b.ts'],
      ['see `kit/b.ts`', 'there is no kit/b.ts'],
      ['```sh\nnpm test -- tests/b.test.ts\n```\n', 'there is no tests/b.test.ts'],
    ],
    good: ['see `tests/a.test.ts`', 'in `docs/decisions`', '`docs/decisions/NNNN-title.md`', '```ts\nsrc/b.ts\n```\n'],
  },
  {
    rule: 'a path in a comment leads to a file, one in a string may be made up',
    file: 'tools/a.ts',
    bad: [['// see src/b.ts\n', 'there is no src/b.ts']],
    good: ['// see tests/a.test.ts\n', `const example = 'src/b.ts'\n`],
  },
  {
    rule: 'a document is named with its folder',
    file: 'src/a.ts',
    bad: [
      [`// ${gone} 24\n`, `there is no ${gone} here; name its folder`],
      [`const because = '${gone}, Clients: no'\n`, `there is no ${gone} here; name its folder`],
    ],
    good: ['// see docs/guide.md\n', `const file = '${gone}'\n`],
  },
  {
    rule: 'a section is in its document',
    file: 'testing/a.ts',
    bad: [[section('Last steps'), 'docs/guide.md has no section "Last steps"']],
    good: [section('First steps')],
  },
  {
    rule: 'a numbered rule or table of another document is not cited',
    file: 'src/b.test.ts',
    bad: [
      [`test('${rule}: it opens', () => {})\n`, `${rule} is in no document of the repository`],
      [`// ${table}. It is decided once.\n`, `${table} is in no document of the repository`],
    ],
    good: [`// The rules of 1.4 and of RFC 6749 §4.1.2\n`],
  },
  {
    rule: 'a case in a test is in the list of cases',
    file: 'src/b.test.ts',
    bad: [[`test('${unknown} refuses', () => {})\n`, `docs/security.md has no case ${unknown}`]],
    good: [`test('${existingCase} refuses', () => {})\n`],
  },
]

suite('citations', () => {
  test('a tree that cites only what exists has no violation', () => {
    assert.deepEqual(violationsIn(checkCitations, base), [])
  })

  for (const { rule, file, bad, good } of cases)
    test(rule, () => {
      for (const [text, message] of bad) {
        const violations = violationsIn(checkCitations, { ...base, [file]: text })
        assert.equal(violations.length, 1, text)
        assert.match(violations[0] ?? '', new RegExp(`^${file}:\\d+: `))
        assert.ok(violations[0]?.endsWith(`: ${message}`), violations[0])
      }
      for (const text of good) assert.deepEqual(violationsIn(checkCitations, { ...base, [file]: text }), [], text)
    })

  test('the line is the one of the citation', () => {
    const text = `\n\n// ${decision('1')}\n/* a\n b ${decision('2')} */\n`
    assert.deepEqual(violationsIn(checkCitations, { ...base, 'src/a.ts': text }), [
      'src/a.ts:5: there is no decision 2 in docs/decisions',
    ])
  })

  test('a decision that the index does not list is a violation', () => {
    assert.deepEqual(violationsIn(checkCitations, { ...base, 'docs/decisions/0029-three.md': '# 29. Three\n' }), [
      'docs/decisions/0029-three.md:1: docs/decisions/README.md does not list this decision',
    ])
  })

  test('a case names only tests that carry its number', () => {
    assert.deepEqual(violationsIn(checkCitations, { ...base, 'tests/a.test.ts': 'test()\n' }), [
      `docs/security.md:1: tests/a.test.ts does not carry ${existingCase}`,
    ])
  })

  test('the command fails when something is cited that does not exist, and passes on this repository', () => {
    const command = fileURLToPath(new URL('./check-citations.ts', import.meta.url))
    const root = fileURLToPath(new URL('../', import.meta.url))
    const { status, stdout } = spawnSync(process.execPath, [command, root], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
    assert.match(stdout, /^citations: \d+ files cite only what exists/)
    const failing = violationsIn(
      folder => {
        const run = spawnSync(process.execPath, [command, folder], { encoding: 'utf8' })
        return [{ file: 'exit', line: run.status ?? 0, message: run.stdout.trim() }]
      },
      { ...base, 'README.md': decision('2') },
    )
    assert.deepEqual(failing, ['exit:1: README.md:1: there is no decision 2 in docs/decisions'])
  })
})
