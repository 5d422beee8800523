import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { errorsOfOutline, planOutline, type RequestedSection, type StoredOutline, unmoved } from './rules.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

const names = fc.constantFrom('a', 'b', 'c')
const lesson = fc.record(
  {
    pick: fc.nat(40),
    name: names,
    status: fc.constantFrom('draft' as const, 'published' as const),
    preview: fc.boolean(),
    duration_seconds: fc.option(fc.nat(9)),
  },
  { requiredKeys: ['pick', 'name'] },
)
const section = fc.record({ pick: fc.nat(12), name: names, lessons: fc.array(lesson, { maxLength: 6 }) })
const outlines = fc.array(fc.array(section, { maxLength: 6 }), { minLength: 1, maxLength: 6 })

type OutlineInput = typeof section extends fc.Arbitrary<infer Section> ? readonly Section[] : never

// A number selects an existing item that was not selected before, or a new one.
const choose = (ids: readonly string[], pick: number, used: Set<string>): string | undefined => {
  const id = ids[pick]
  if (id === undefined || used.has(id)) return undefined
  used.add(id)
  return id
}

const requestedSections = (stored: StoredOutline, input: OutlineInput): RequestedSection[] => {
  const used = new Set<string>()
  const [sections, lessons] = [stored.sections.map(({ id }) => id), stored.lessons.map(({ id }) => id)]
  return input.map(({ pick, lessons: inside, ...rest }) => ({
    ...rest,
    id: choose(sections, pick, used),
    lessons: inside.map(({ pick: at, ...more }) => {
      const id = choose(lessons, at, used)
      return { ...more, id, ...(id === undefined ? { type: 'text' as const } : {}) }
    }),
  }))
}

// What the database holds after a plan was carried out.
const carriedOut = (stored: StoredOutline, requested: readonly RequestedSection[], newId: () => string) => {
  const plan = planOutline(stored, requested, newId)
  const kept = new Set([...plan.sections, ...plan.lessons].map(({ id }) => id))
  const after: StoredOutline = {
    sections: [
      ...plan.sections.map(({ id, name }) => ({ id, name, isArchived: false })),
      ...stored.sections.filter(({ id }) => !kept.has(id)).map(one => ({ ...one, isArchived: true })),
    ],
    lessons: [
      ...plan.lessons.map(({ section_id: sectionId, position: _position, ...rest }) => ({
        ...rest,
        sectionId,
        isArchived: false,
      })),
      ...stored.lessons.filter(({ id }) => !kept.has(id)).map(one => ({ ...one, isArchived: true })),
    ],
  }
  return { plan, after }
}

const counting = (): (() => string) => {
  let next = 0
  return () => `n${next++}`
}

test('whatever outlines follow each other: ids are kept, nothing is lost, and the same again is no difference', () => {
  fc.assert(
    fc.property(outlines, rounds => {
      const newId = counting()
      let stored: StoredOutline = { sections: [], lessons: [] }
      for (const input of rounds) {
        const requested = requestedSections(stored, input as OutlineInput)
        assert.deepEqual(errorsOfOutline(stored, requested), [])
        const { plan, after } = carriedOut(stored, requested, newId)
        const ids = new Set([...after.sections, ...after.lessons].map(({ id }) => id))
        for (const { id } of [...stored.sections, ...stored.lessons]) assert.ok(ids.has(id), 'nothing is ever lost')
        const named = requested.flatMap(({ id, lessons }) => [id, ...lessons.map(one => one.id)])
        for (const id of named.filter(one => one !== undefined)) assert.ok(ids.has(id), 'what was named is kept')
        // An item is listed once for each kind of change, and never as created when it existed.
        const changes = plan.difference.map(({ change, id }) => `${change} ${id}`)
        assert.equal(new Set(changes).size, changes.length)
        const before = new Set([...stored.sections, ...stored.lessons].map(({ id }) => id))
        for (const { change, id } of plan.difference) assert.equal(change === 'created', !before.has(id))
        const again = plan.sections.map(one => ({
          id: one.id,
          name: one.name,
          lessons: plan.lessons.filter(inside => inside.section_id === one.id),
        }))
        assert.deepEqual(planOutline(after, again, newId).difference, [])
        stored = after
      }
    }),
    { seed, numRuns: 300 },
  )
})

test('as few as possible move: what stays is a longest run that is in order, compared with trying all', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const shuffled = fc.shuffledSubarray(ids, { minLength: 0, maxLength: 6 })
  const inOrder = (run: readonly string[]) => run.every((id, at) => at === 0 || (run[at - 1] ?? '') < id)
  const longest = (list: readonly string[]): number => {
    let most = 0
    for (let bits = 0; bits < 1 << list.length; bits++) {
      const run = list.filter((_, at) => bits & (1 << at))
      if (inOrder(run)) most = Math.max(most, run.length)
    }
    return most
  }
  fc.assert(
    fc.property(shuffled, after => {
      const still = unmoved(ids, after)
      assert.ok(inOrder(after.filter(id => still.has(id))))
      assert.equal(still.size, longest(after))
    }),
    { seed },
  )
})
