import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { ScaffoldRequest } from './new-area.ts'
import { filesUnder, readText, type Violation } from './violations.ts'

const REPOSITORY = join(import.meta.dirname, '..')

suite('new-area', () => {
  let root = ''
  let scaffoldArea: typeof import('./new-area.ts').scaffoldArea
  let violations: () => string[]

  // A copy of the repository whose list of areas has one more, as a developer who adds an area writes it.
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'stoa-area-'))
    for (const name of ['src', 'testing', 'tools', 'migrations', 'package.json', 'tsconfig.json'])
      cpSync(join(REPOSITORY, name), join(root, name), { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
    const list = 'tools/check-imports.ts'
    writeFileSync(join(root, list), readText(root, list).replace(" 'account']", " 'zeppelins', 'account']"))
    const load = (name: string) => import(pathToFileURL(join(root, 'tools', name)).href)
    const loaded: typeof import('./new-area.ts') = await load('new-area.ts')
    const { checkAreas }: typeof import('./check-areas.ts') = await load('check-areas.ts')
    const { checkImports, areas }: typeof import('./check-imports.ts') = await load('check-imports.ts')
    assert.ok(areas.includes('zeppelins'))
    scaffoldArea = loaded.scaffoldArea
    const buildLine = ({ file, line, message }: Violation): string => `${file}:${line}: ${message}`
    violations = () => [...checkAreas(root), ...checkImports(root)].map(buildLine)
  })

  after(() => rmSync(root, { recursive: true }))

  const files = (): string[] => ['src', 'migrations'].flatMap(folder => filesUnder(root, folder))

  const assertRefused = (request: ScaffoldRequest, message: RegExp): void => {
    const existing = files()
    assert.throws(() => scaffoldArea(root, request), message)
    assert.deepEqual(files(), existing)
  }

  test('a wrong request is refused, and nothing is written', () => {
    const zeppelin = { thing: 'zeppelin', prefix: 'zpl', scope: 'members' }
    const resource = { ...zeppelin, name: 'members/zeppelins' }
    assertRefused({ ...zeppelin, name: 'airships' }, /airships is not in the list of areas .*: school, selling, prices/)
    assertRefused({ ...zeppelin, name: 'members/tags/colours' }, /one level of folders/)
    assertRefused({ ...zeppelin, name: 'members/../groups' }, /one level of folders/)
    assertRefused({ ...zeppelin, name: 'members/..' }, /\.\. is not the name of a folder/)
    assertRefused({ ...zeppelin, name: 'members' }, /src\/areas\/people\/members\/index\.ts already exists/)
    assertRefused({ ...zeppelin, name: 'zeppelins/engines', things: 'engines' }, /create the area before its resources/)
    assertRefused({ ...resource, prefix: 'mem' }, /the prefix mem is in use/)
    assertRefused({ ...resource, prefix: 'zeppelin' }, /three lower-case letters/)
    assertRefused({ ...resource, thing: 'A zeppelin' }, /--thing is one of them in snake_case, not A zeppelin/)
    assertRefused({ ...resource, things: 'zeppelin' }, /--thing and --things are both zeppelin/)
    assertRefused({ ...resource, things: 'member_notes' }, /the table member_notes already exists/)
    assertRefused({ ...zeppelin, name: 'zeppelins', scope: 'zeppelins' }, /the scope zeppelins:read is not declared/)
  })

  test('an area and a resource pass the checks and compile, and their tests fail until they are completed', () => {
    const before = violations()
    const written = [
      ...scaffoldArea(root, { name: 'zeppelins', thing: 'zeppelin', prefix: 'zpl', scope: 'members' }),
      ...scaffoldArea(root, {
        name: 'zeppelins/engine-parts',
        things: 'zeppelin_engine_parts',
        thing: 'zeppelin_engine_part',
        prefix: 'zep',
        scope: 'members',
      }),
    ]
    const added = violations().filter(violation => !before.includes(violation))
    assert.deepEqual(added, [])
    const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [compiler, '--noEmit'], { cwd: root, encoding: 'utf8' })
    assert.equal(status, 0, stdout)
    const tests = written.filter(path => path.endsWith('.test.ts'))
    assert.deepEqual(tests, [
      'src/areas/people/zeppelins/zeppelins.test.ts',
      'src/areas/people/zeppelins/engine-parts/zeppelin-engine-parts.test.ts',
    ])
    for (const path of tests) assert.match(readText(root, path), /assert\.fail\(/)
    assert.match(readText(root, 'src/areas/people/zeppelins/operations.ts'), /route: 'GET \/zeppelins\/:zeppelin_id'/)
    assert.match(
      readText(root, 'src/areas/people/zeppelins/engine-parts/operations.ts'),
      /'POST \/zeppelins\/engine-parts'/,
    )
    assert.equal(written.filter(path => /^migrations\/\d{4}_/.test(path)).length, 2)
    assert.match(
      readText(root, 'migrations/grants.sql'),
      /on zeppelins to :app;\n.* on zeppelin_engine_parts to :app;\n$/,
    )
  })
})
