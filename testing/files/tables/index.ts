import { join } from 'node:path'

/** A table of this folder, and what an import makes of it at a school that has nobody of it. */
export type StoredTable = {
  readonly name: string
  /** What wrote it. */
  readonly program: string
  readonly kind: 'people' | 'learning'
  /** What an import takes it for. */
  readonly source: 'teachable' | 'thinkific' | 'kajabi' | 'podia' | 'stoa' | 'oneroster' | 'other'
  /** Its headings, and the field that each is; a choice by hand included. */
  readonly columns: readonly (readonly [heading: string, field: string])[]
  /** The field whose dates fit several orders of day and month, so that a person has to choose. */
  readonly ambiguous?: string
  /** How many people it adds. */
  readonly created: number
  /** The rows that are refused, by their lines. */
  readonly failed?: readonly (readonly [line: number, code: string])[]
  /** The lines of people that are not to be created, though nothing is wrong with them. */
  readonly skipped?: readonly number[]
}

/** The path of a table. */
export const pathOfTable = (name: string): string => join(import.meta.dirname, name)

const HAND_KEPT: Pick<StoredTable, 'created' | 'failed'> = {
  created: 9,
  failed: [
    [6, 'digits_lost'],
    [11, 'duplicate'],
    [13, 'email_invalid'],
    [14, 'duplicate'],
  ],
}

const german: Omit<StoredTable, 'name' | 'program'> = {
  kind: 'people',
  source: 'other',
  columns: [
    ['E-Mail', 'email'],
    ['Vorname', 'first_name'],
    ['Nachname', 'last_name'],
    ['Telefon', 'phone'],
    ['Schlagwörter', 'tags'],
    ['Beitrittsdatum', 'joined_at'],
    ['Newsletter', 'marketing_consent'],
    ['Notiz', 'note'],
  ],
  ...HAND_KEPT,
}

const french: Omit<StoredTable, 'name' | 'program'> = {
  kind: 'people',
  source: 'other',
  columns: [
    ['Adresse e-mail', 'email'],
    ['Prénom', 'first_name'],
    ['Nom', 'last_name'],
    ['Téléphone', 'phone'],
    ['Groupes', 'groups'],
    ["Date d'inscription", 'joined_at'],
  ],
  created: 7,
}

const members: Omit<StoredTable, 'name' | 'program'> = {
  kind: 'people',
  source: 'stoa',
  columns: [
    ['id', 'ignore'],
    ['email', 'email'],
    ['name', 'name'],
    ['phone', 'phone'],
    ['status', 'status'],
    ['role', 'ignore'],
    ['tags', 'tags'],
    ['locale', 'locale'],
    ['time_zone', 'time_zone'],
    ['external_id', 'external_id'],
    ['joined_at', 'joined_at'],
    ['marketing_granted', 'marketing_consent'],
    ['last_seen_at', 'ignore'],
    ['created_at', 'ignore'],
    ['updated_at', 'ignore'],
  ],
  created: 7,
}

const enrollments: Omit<StoredTable, 'name' | 'program'> = {
  kind: 'learning',
  source: 'stoa',
  columns: [
    ['id', 'ignore'],
    ['member_id', 'ignore'],
    ['member_name', 'name'],
    ['member_email', 'email'],
    ['course_id', 'ignore'],
    ['course_name', 'course'],
    ['source', 'ignore'],
    ['state', 'status'],
    ['percent_complete', 'percent_complete'],
    ['completed_at', 'completed_at'],
    ['last_activity_at', 'ignore'],
    ['created_at', 'enrolled_at'],
    ['updated_at', 'ignore'],
  ],
  created: 7,
}

const roster: Pick<StoredTable, 'kind' | 'source' | 'created' | 'failed' | 'skipped'> = {
  kind: 'people',
  source: 'oneroster',
  created: 7,
  failed: [[11, 'email_missing']],
  skipped: [9, 10],
}

const rosterColumns: StoredTable['columns'] = [
  ['sourcedId', 'external_id'],
  ['givenName', 'first_name'],
  ['familyName', 'last_name'],
  ['email', 'email'],
  ['phone', 'phone'],
]

const MICROSOFT_365 = 'Excel of Microsoft 365 in German'
const LIBRE_OFFICE = 'LibreOffice 7.4.7.2'

/** The tables of this folder. */
export const storedTables: readonly StoredTable[] = [
  { name: 'excel-german.csv', program: `${MICROSOFT_365}, CSV UTF-8`, ...german },
  { name: 'excel-german-unicode.txt', program: `${MICROSOFT_365}, Unicode text`, ...german },
  { name: 'excel-german-ansi.csv', program: `${MICROSOFT_365}, CSV`, ...german },
  { name: 'excel-german.xlsx', program: `${MICROSOFT_365}, workbook`, ...german },
  {
    name: 'excel-1904.xlsx',
    program: 'Excel for Mac in Spanish, days from 1904',
    kind: 'people',
    source: 'other',
    columns: [
      ['Correo electrónico', 'email'],
      ['Nombre', 'first_name'],
      ['Apellidos', 'last_name'],
      ['Fecha de alta', 'joined_at'],
    ],
    created: 7,
  },
  {
    name: 'excel-merged.xlsx',
    program: 'Excel, a course merged over its students',
    kind: 'learning',
    source: 'other',
    columns: [
      ['Course', 'course'],
      ['Email', 'email'],
      ['Name', 'name'],
      ['Enrolled on', 'enrolled_at'],
      ['Progress', 'percent_complete'],
    ],
    created: 5,
  },
  {
    name: 'google-sheets.csv',
    program: 'Google Sheets in the United States, 2025',
    kind: 'people',
    source: 'other',
    columns: [
      ['Email Address', 'email'],
      ['First Name', 'first_name'],
      ['Last Name', 'last_name'],
      ['Phone Number', 'phone'],
      ['Tags', 'tags'],
      ['Date Joined', 'joined_at'],
      ['Newsletter', 'marketing_consent'],
      ['Notes', 'note'],
    ],
    ambiguous: 'joined_at',
    ...HAND_KEPT,
  },
  {
    name: 'numbers.csv',
    program: 'Numbers 14 in Portuguese',
    kind: 'people',
    source: 'other',
    columns: [
      ['Correio eletrónico', 'email'],
      ['Nome', 'name'],
      ['Telemóvel', 'phone'],
      ['Etiquetas', 'tags'],
      ['Data de inscrição', 'joined_at'],
      ['Notas', 'note'],
    ],
    created: HAND_KEPT.created,
    failed: HAND_KEPT.failed?.map(([line, code]) => [line + 1, code] as const) ?? [],
  },
  { name: 'libreoffice.csv', program: LIBRE_OFFICE, ...french },
  { name: 'libreoffice.xlsx', program: LIBRE_OFFICE, ...french },
  {
    name: 'teachable.csv',
    program: 'Teachable, users',
    kind: 'people',
    source: 'teachable',
    columns: [
      ['userid', 'external_id'],
      ['fullname', 'name'],
      ['email', 'email'],
      ['joined', 'joined_at'],
      ['last_login', 'ignore'],
      ['login_count', 'ignore'],
      ['unsubscribed', 'marketing_consent'],
      ['country', 'ignore'],
    ],
    created: 7,
  },
  {
    name: 'thinkific.csv',
    program: 'Thinkific, users',
    kind: 'people',
    source: 'thinkific',
    columns: [
      ['first_name', 'first_name'],
      ['last_name', 'last_name'],
      ['user_email', 'email'],
      ['company', 'ignore'],
      ['external_id', 'external_id'],
      ['date_created', 'joined_at'],
    ],
    created: 7,
  },
  {
    name: 'thinkific-progress.csv',
    program: 'Thinkific, progress of a group',
    kind: 'learning',
    source: 'thinkific',
    columns: [
      ['Student First Name', 'first_name'],
      ['Student Last Name', 'last_name'],
      ['Student Email', 'email'],
      ['Company', 'ignore'],
      ['Course Name', 'course'],
      ['% Viewed', 'ignore'],
      ['% Completed', 'percent_complete'],
      ['Activated At', 'enrolled_at'],
      ['Completed At', 'completed_at'],
      ['Expiry Date', 'access_ends_at'],
    ],
    created: 4,
  },
  {
    name: 'kajabi.csv',
    program: 'Kajabi, contacts',
    kind: 'people',
    source: 'kajabi',
    columns: [
      ['Name', 'name'],
      ['Email', 'email'],
      ['Phone Number', 'phone'],
      ['Tags', 'tags'],
      ['Products', 'ignore'],
      ['Subscribed', 'marketing_consent'],
      ['Added On', 'joined_at'],
      ['Sign In Count', 'ignore'],
      ['Last Activity', 'ignore'],
    ],
    created: 7,
  },
  {
    name: 'podia.csv',
    program: 'Podia, audience',
    kind: 'people',
    source: 'podia',
    columns: [
      ['Email', 'email'],
      ['Name', 'name'],
      ['Subscription status', 'marketing_consent'],
      ['Joined', 'joined_at'],
      ['Lifetime value', 'ignore'],
    ],
    created: 7,
  },
  { name: 'stoa-members.csv', program: 'Stoa, members for programs', ...members },
  { name: 'stoa-members-spreadsheet.csv', program: 'Stoa, members for spreadsheets', ...members },
  { name: 'stoa-members-semicolon.csv', program: 'Stoa, members for continental spreadsheets', ...members },
  {
    name: 'stoa-students.csv',
    program: 'Stoa, students for programs',
    kind: 'people',
    source: 'stoa',
    columns: [
      ['id', 'ignore'],
      ['name', 'name'],
      ['email', 'email'],
      ['status', 'status'],
      ['enrollment_count', 'ignore'],
      ['completed_count', 'ignore'],
      ['last_activity_at', 'ignore'],
      ['created_at', 'joined_at'],
    ],
    created: 7,
  },
  { name: 'stoa-enrollments.csv', program: 'Stoa, enrollments for programs', ...enrollments },
  {
    name: 'stoa-enrollments-semicolon.csv',
    program: 'Stoa, enrollments for continental spreadsheets',
    ...enrollments,
  },
  {
    name: 'oneroster-users.csv',
    program: 'OneRoster 1.2, users alone',
    columns: [...rosterColumns, ['status', 'status']],
    ...roster,
  },
  {
    name: 'oneroster.zip',
    program: 'OneRoster 1.2, all files',
    columns: [...rosterColumns, ['groups', 'groups'], ['status', 'status']],
    ...roster,
  },
]
