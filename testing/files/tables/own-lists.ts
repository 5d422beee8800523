import { areas } from '#src/areas.ts'
import { routedOperations } from '#src/contract/area.ts'
import type { CsvDialect } from '#src/contract/csv.ts'
import { csvPieces } from '#src/http/csv.ts'
import { platformPeople } from './people.ts'

const numberId = (kind: number, at: number): string =>
  `018f0000-0000-7000-800${kind}-${String(at + 1).padStart(12, '0')}`

const midday = (day: string): Date => new Date(`${day}T12:30:00Z`)

const named = platformPeople.map((person, at) => ({
  ...person,
  id: numberId(1, at),
  name: `${person.first} ${person.last}`,
  at: midday(person.joined ?? '2025-01-01'),
}))

const members = named.map(({ id, email, name, phone = null, tags = [], consents = false, at }, place) => ({
  id,
  email,
  name,
  phone,
  tags,
  status: 'active',
  role: 'student',
  locale: 'pt',
  time_zone: 'Europe/Lisbon',
  external_id: `crm-${place + 1}`,
  // Some were at another school before.
  joined_at: place < 2 ? midday('2019-09-02') : null,
  marketing_granted: consents,
  last_seen_at: null,
  created_at: at,
  updated_at: at,
}))

const students = named.map(({ id, email, name, at }) => ({
  id,
  email,
  name,
  status: 'active',
  enrollment_count: 2,
  completed_count: 1,
  last_activity_at: null,
  created_at: at,
}))

const enrollments = named.map(({ id, email, name, at }, place) => ({
  id: numberId(2, place),
  member_id: id,
  member_name: name,
  member_email: email,
  course_id: numberId(3, 0),
  course_name: 'First loaf',
  source: 'staff',
  state: 'open',
  percent_complete: place % 2 === 0 ? 100 : 50,
  completed_at: place % 2 === 0 ? at : null,
  last_activity_at: null,
  created_at: at,
  updated_at: at,
}))

const writeList = async (id: string, rows: readonly unknown[], dialect: CsvDialect): Promise<Buffer> => {
  const list = routedOperations(areas).find(operation => operation.id === id)
  if (list?.csv === undefined) throw new Error(`there is no list ${id} as CSV`)
  const batches = async function* () {
    yield rows
  }
  const about = { cells: list.csv.cells, layout: { dialect, zone: 'Europe/Lisbon' } }
  let text = ''
  for await (const piece of csvPieces(list, { baseUrl: 'https://school.example' }, batches(), about)) text += piece
  return Buffer.from(text)
}

/** Lists of Stoa, in its three forms of CSV, as its own code writes them. */
export const ownLists = async (): Promise<Readonly<Record<string, Buffer>>> => ({
  'stoa-members.csv': await writeList('listMembers', members, 'rfc4180'),
  'stoa-members-spreadsheet.csv': await writeList('listMembers', members, 'spreadsheet'),
  'stoa-members-semicolon.csv': await writeList('listMembers', members, 'spreadsheet_semicolon'),
  'stoa-students.csv': await writeList('listStudents', students, 'rfc4180'),
  'stoa-enrollments.csv': await writeList('listEnrollments', enrollments, 'rfc4180'),
  'stoa-enrollments-semicolon.csv': await writeList('listEnrollments', enrollments, 'spreadsheet_semicolon'),
})
