import { buildArchive } from '#testing/archives.ts'
import { writeCsv } from './csv.ts'
import { platformPeople } from './people.ts'

type Row = Readonly<Record<string, string>>

// OneRoster 1.2 CSV Binding, 4: the headings of each file, in its order.
const HEADINGS = {
  'manifest.csv': ['propertyName', 'value'],
  'orgs.csv': ['sourcedId', 'status', 'dateLastModified', 'name', 'type', 'identifier', 'parentSourcedId'],
  'classes.csv': [
    'sourcedId',
    'status',
    'dateLastModified',
    'title',
    'grades',
    'courseSourcedId',
    'classCode',
    'classType',
    'location',
    'schoolSourcedId',
    'termSourcedIds',
    'subjects',
    'subjectCodes',
    'periods',
  ],
  'users.csv': [
    'sourcedId',
    'status',
    'dateLastModified',
    'enabledUser',
    'username',
    'userIds',
    'givenName',
    'familyName',
    'middleName',
    'identifier',
    'email',
    'sms',
    'phone',
    'agentSourcedIds',
    'grades',
    'password',
    'userMasterIdentifier',
    'resourceSourcedIds',
    'preferredGivenName',
    'preferredMiddleName',
    'preferredFamilyName',
    'primaryOrgSourcedId',
    'pronouns',
  ],
  'roles.csv': [
    'sourcedId',
    'status',
    'dateLastModified',
    'userSourcedId',
    'roleType',
    'role',
    'beginDate',
    'endDate',
    'orgSourcedId',
    'userProfileSourcedId',
  ],
  'enrollments.csv': [
    'sourcedId',
    'status',
    'dateLastModified',
    'classSourcedId',
    'schoolSourcedId',
    'userSourcedId',
    'role',
    'primary',
    'beginDate',
    'endDate',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

type FileName = keyof typeof HEADINGS

const writeFile = (name: FileName, rows: readonly Row[]): string =>
  writeCsv([HEADINGS[name], ...rows.map(row => HEADINGS[name].map(heading => row[heading] ?? ''))])

const MODIFIED = '2025-09-01T06:00:00.000Z'

const users: readonly Row[] = [
  ...platformPeople.map(({ email, first = '', last = '', phone = '' }, at) => ({
    sourcedId: `u-${at + 1}`,
    status: 'active',
    dateLastModified: MODIFIED,
    enabledUser: 'true',
    username: `user${at + 1}`,
    givenName: first,
    familyName: last,
    email,
    phone,
  })),
  {
    sourcedId: 'u-80',
    status: 'tobedeleted',
    dateLastModified: MODIFIED,
    enabledUser: 'true',
    username: 'user80',
    givenName: 'Greta',
    familyName: 'Weiß',
    email: 'greta.weiss@example.com',
  },
  {
    sourcedId: 'u-81',
    status: 'active',
    dateLastModified: MODIFIED,
    enabledUser: 'false',
    username: 'user81',
    givenName: 'Bruno',
    familyName: 'Rossi',
    email: 'bruno.rossi@example.com',
  },
  {
    sourcedId: 'u-82',
    status: 'active',
    dateLastModified: MODIFIED,
    enabledUser: 'true',
    username: 'user82',
    givenName: 'Kasia',
    familyName: 'Nowak',
  },
]

const classes: readonly Row[] = [
  { sourcedId: 'c-1', status: 'active', title: 'Baking 7a', classType: 'scheduled', schoolSourcedId: 'o-1' },
  { sourcedId: 'c-2', status: 'active', title: 'Baking 7b', classType: 'scheduled', schoolSourcedId: 'o-1' },
]

const enroll = (userSourcedId: string, classSourcedId: string, role = 'student'): Row => ({
  sourcedId: `e-${userSourcedId}-${classSourcedId}`,
  status: 'active',
  classSourcedId,
  schoolSourcedId: 'o-1',
  userSourcedId,
  role,
  primary: 'false',
})

const enrollments: readonly Row[] = [
  enroll('u-1', 'c-1'),
  enroll('u-1', 'c-2'),
  enroll('u-2', 'c-1'),
  enroll('u-3', 'c-2', 'teacher'),
]

const MANIFEST = {
  'manifest.version': '1.0',
  'oneroster.version': '1.2',
  'file.academicSessions': 'absent',
  'file.classes': 'bulk',
  'file.courses': 'absent',
  'file.enrollments': 'bulk',
  'file.orgs': 'bulk',
  'file.roles': 'bulk',
  'file.users': 'bulk',
  'source.systemName': 'Example SIS',
}

const files: readonly (readonly [FileName, readonly Row[]])[] = [
  ['manifest.csv', Object.entries(MANIFEST).map(([propertyName, value]) => ({ propertyName, value }))],
  ['orgs.csv', [{ sourcedId: 'o-1', status: 'active', name: 'Example School', type: 'school' }]],
  ['classes.csv', classes],
  ['users.csv', users],
  [
    'roles.csv',
    users.map(({ sourcedId = '' }) => ({
      sourcedId: `r-${sourcedId}`,
      status: 'active',
      userSourcedId: sourcedId,
      roleType: 'primary',
      role: 'student',
      orgSourcedId: 'o-1',
    })),
  ],
  ['enrollments.csv', enrollments],
]

/** The users of a OneRoster 1.2 export, alone. */
export const oneRosterUsers = (): Buffer => Buffer.from(writeFile('users.csv', users))

/** A OneRoster 1.2 export of all files at once. */
export const oneRosterArchive = (): Buffer =>
  buildArchive(files.map(([name, rows]) => ({ name, data: writeFile(name, rows) })))
