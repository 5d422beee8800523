/** A person as somebody has them in a spreadsheet; what is written wrongly is meant to be. */
export type TablePerson = {
  readonly email: string
  readonly first?: string
  readonly last?: string
  readonly phone?: string
  readonly tags?: readonly string[]
  /** A day in the form of ISO 8601. */
  readonly joined?: string
  readonly consents?: boolean
  readonly note?: string
}

const lars: TablePerson = {
  email: 'lars.sorensen@example.com',
  first: 'Lars',
  last: 'Sørensen',
  phone: '+45 20 12 34 56',
  tags: ['vip', 'open day'],
  joined: '2024-03-17',
  consents: true,
}
const ana: TablePerson = {
  email: 'ana.conceicao@example.com',
  first: 'Ana',
  last: 'Conceição',
  phone: '+351 912 345 678',
  tags: ['vip'],
  joined: '2024-04-02',
  consents: false,
}
const jan: TablePerson = {
  email: 'jan@bücher.example',
  first: 'Jan',
  last: 'Müller',
  phone: '+49 170 1234567',
  joined: '2024-05-21',
  consents: true,
}
const liam: TablePerson = {
  email: 'liam.oneill@example.com',
  first: 'Liam',
  last: 'O’Neill',
  phone: '+353 85 123 4567',
  tags: ['open day'],
  joined: '2024-07-30',
  consents: true,
}
const zoe: TablePerson = {
  email: 'zoe.simek@example.com',
  first: 'Zoë',
  last: 'Šimek',
  phone: '+420 601 123 456',
  joined: '2025-01-09',
  consents: false,
}
const pedro: TablePerson = {
  email: 'pedro.almeida@example.com',
  first: 'Pedro "Pê"',
  last: 'Almeida, Jr.',
  phone: '+351 961 234 567',
  tags: ['vip'],
  joined: '2025-02-28',
  consents: true,
}
const ines: TablePerson = {
  email: 'ines.pinto@example.com',
  first: 'Inês',
  last: 'Pinto',
  phone: '+351 933 456 789',
  joined: '2025-06-13',
  consents: false,
  note: 'Allergic to rye\nPrefers mornings',
}
// Somebody copied the address from a page, with a no-break space behind it.
const maria: TablePerson = {
  email: 'maria.nunez@example.com\u00a0',
  first: 'María',
  last: 'Núñez',
  joined: '2024-06-11',
}
const kasia: TablePerson = { email: 'kasia.nowak@example.com', joined: '2024-11-05' }

/** The people that another platform exports: each once, with what is a value there. */
export const platformPeople: readonly TablePerson[] = [lars, ana, jan, liam, zoe, pedro, ines]

/** The rows of a spreadsheet kept by hand; undefined is an empty row. */
export const spreadsheetRows: readonly (TablePerson | undefined)[] = [
  lars,
  ana,
  jan,
  maria,
  // Excel shows long numbers like this, and saves what it shows.
  { email: 'greta.weiss@example.com', first: 'Greta', last: 'Weiß', phone: '4,91701E+11', joined: '2024-08-19' },
  undefined,
  liam,
  zoe,
  kasia,
  { ...lars, email: 'LARS.SORENSEN@EXAMPLE.COM' },
  pedro,
  { email: 'bruno.example.com', first: 'Bruno', last: 'Rossi', joined: '2025-03-03' },
  { ...jan, email: 'jan@xn--bcher-kva.example' },
  ines,
]
