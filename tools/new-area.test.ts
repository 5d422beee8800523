import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkRooms } from './check-areas.ts'
import { checkImports } from './check-imports.ts'
import { type Asked, layFurniture } from './new-area.ts'
import { filesUnder, textOf } from './violations.ts'

const HERE = join(import.meta.dirname, '..')
let root = ''

before(() => {
  root = mkdtempSync(join(tmpdir(), 'stoa-area-'))
  for (const name of ['src', 'testing', 'migrations', 'package.json', 'tsconfig.json'])
    cpSync(join(HERE, name), join(root, name), { recursive: true })
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'))
})

after(() => rmSync(root, { recursive: true }))

const refusedWith = (asked: Asked, says: RegExp): void => {
  const files = filesUnder(root, '.').length
  assert.throws(() => layFurniture(root, asked), says)
  assert.equal(filesUnder(root, '.').length, files, 'nothing was written')
}

// A room of which nothing is there yet but its door.
const emptyRoom = (): string => {
  const doors = filesUnder(root, 'src/areas').filter(path => /^ {2}operations: \[\],$/m.test(textOf(root, path)))
  const [room] = doors
    .filter(door => /:write'/.test(textOf(root, door)))
    .map(door => door.split('/')[2] ?? '')
    .filter(name => name.endsWith('s'))
  assert.ok(room, 'every room has operations: lay one into a tree of its own')
  return room
}

test('what is not a room, is there already or says nothing is refused, and nothing is written', () => {
  const plain = { thing: 'zeppelin', prefix: 'zpl' }
  refusedWith({ ...plain, name: 'zeppelins' }, /zeppelins is no room; the rooms are school, members/)
  refusedWith({ ...plain, name: 'entitlements/../posts' }, /one resource deep|no name of a folder/)
  refusedWith({ ...plain, name: 'members' }, /src\/areas\/members\/schema\.ts is there already/)
  refusedWith({ ...plain, name: 'members/groups' }, /is there already/)
  refusedWith({ ...plain, name: 'members/zeppelins', prefix: 'mem' }, /mem is the prefix of other ids/)
  refusedWith({ ...plain, name: 'members/zeppelins', prefix: 'zeppelin' }, /three lower-case letters/)
  refusedWith({ ...plain, name: 'members/zeppelins', thing: 'A zeppelin' }, /--thing is one of them in snake_case/)
  refusedWith(
    { ...plain, name: 'members/zeppelins', things: 'member_notes' },
    /the table member_notes is there already/,
  )
})

test('a room and a resource are laid so that types, rooms and imports hold, and a person is asked', () => {
  const room = emptyRoom()
  const made = [
    ...layFurniture(root, { name: room, thing: room.replace(/s$/, ''), prefix: 'zrm' }),
    ...layFurniture(root, { name: `${room}/zeppelins`, thing: 'zeppelin', prefix: 'zpl' }),
  ]
  assert.deepEqual([checkRooms(root), checkImports(root)], [[], []])
  const { status, stdout } = spawnSync(process.execPath, [join(HERE, 'node_modules/typescript/bin/tsc'), '--noEmit'], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout)
  assert.match(readFileSync(join(root, `src/areas/${room}/index.ts`), 'utf8'), /^ {2}operations: \w+Operations,$/m)
  for (const path of made.filter(name => name.endsWith('.test.ts'))) assert.match(textOf(root, path), /assert\.fail\(/)
  assert.ok(made.some(path => path.startsWith('migrations/')))
  assert.match(textOf(root, 'migrations/grants.sql'), /on zeppelins to :app;\n$/)
})
