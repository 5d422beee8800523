// One thing: the sections of the API with their scopes.
import { texts } from '#src/texts/index.ts'
import type { Role } from './caller.ts'
import type { Phrase } from './language.ts'

/** A scope: the sentence on the consent page, and the role with the fewest rights to which it is offered. */
type ScopeDeclaration = { readonly sentence: Phrase; readonly offeredTo: Role }

/** One of the twenty sections of the API, as the documentation groups operations, with its scopes. */
type SectionOf<Scope> = {
  readonly name: string
  readonly summary: string
  readonly scopes: Readonly<Record<string, Scope>>
}
type ScopeSection = SectionOf<ScopeDeclaration>

// In the order in which they are advertised; of each scope the role with the fewest rights to which it is offered.
const declared = [
  {
    name: 'school',
    summary: 'The school itself: its name, language, money and staff',
    scopes: { 'school:read': 'member', 'school:write': 'admin' },
  },
  {
    name: 'members',
    summary: 'The people who have an account in the school',
    scopes: { 'members:read': 'admin', 'members:write': 'admin' },
  },
  {
    name: 'storage',
    summary: 'Files on their way into the school',
    scopes: { 'storage:write': 'member' },
  },
  {
    name: 'appearance',
    summary: 'Logo, colours, navigation and style',
    scopes: { 'appearance:read': 'member', 'appearance:write': 'admin' },
  },
  {
    name: 'lecturers',
    summary: 'The public profiles of those who teach',
    scopes: { 'lecturers:read': 'member', 'lecturers:write': 'lecturer' },
  },
  {
    name: 'courses',
    summary: 'What the school teaches, with prices, categories, reviews and certificates',
    scopes: { 'courses:read': 'member', 'courses:write': 'lecturer' },
  },
  {
    name: 'curriculum',
    summary: 'What a course is made of: sections, lessons, quizzes, assignments',
    scopes: { 'curriculum:read': 'member', 'curriculum:write': 'lecturer' },
  },
  {
    name: 'students',
    summary: 'Members as learners: enrollments, progress, submissions and grades',
    scopes: { 'students:read': 'lecturer', 'students:write': 'lecturer' },
  },
  {
    name: 'digital_products',
    summary: 'Files the school sells',
    scopes: { 'digital_products:read': 'member', 'digital_products:write': 'admin' },
  },
  {
    name: 'membership_plans',
    summary: 'Plans that open several courses at once',
    scopes: { 'membership_plans:read': 'member', 'membership_plans:write': 'admin' },
  },
  {
    name: 'coupons',
    summary: 'Price reductions and their codes',
    scopes: { 'coupons:read': 'admin', 'coupons:write': 'admin' },
  },
  {
    name: 'events',
    summary: 'Events at a time and place, with tickets',
    scopes: { 'events:read': 'member', 'events:write': 'lecturer' },
  },
  {
    name: 'orders',
    summary: 'What was bought, by whom and for how much',
    scopes: { 'orders:read': 'admin' },
  },
  {
    name: 'subscriptions',
    summary: 'Memberships that run and renew',
    scopes: { 'subscriptions:read': 'admin', 'subscriptions:write': 'admin' },
  },
  {
    name: 'posts',
    summary: 'The blog of the school',
    scopes: { 'posts:read': 'member', 'posts:write': 'lecturer' },
  },
  {
    name: 'pages',
    summary: 'The pages of the school site',
    scopes: { 'pages:read': 'member', 'pages:write': 'admin' },
  },
  {
    name: 'forms',
    summary: 'Forms and the answers that were submitted with them',
    scopes: { 'forms:read': 'admin' },
  },
  {
    name: 'comments',
    summary: 'Comments on courses, lessons, posts and events',
    scopes: { 'comments:read': 'member' },
  },
  {
    name: 'analytics',
    summary: 'Figures of the school over time',
    scopes: { 'analytics:read': 'lecturer' },
  },
  {
    name: 'account',
    summary: 'The person behind the token, at this school',
    scopes: { 'account:read': 'member', 'account:write': 'member' },
  },
] as const satisfies readonly SectionOf<Role>[]

type KeysOf<T> = T extends unknown ? keyof T : never

/** The name of a scope of the API. */
export type ScopeName = KeysOf<(typeof declared)[number]['scopes']>

/** The name of a section. */
export type SectionName = (typeof declared)[number]['name']

// The texts have a sentence for each scope, and for nothing else.
const sentences: Readonly<Record<ScopeName, { readonly sentence: Phrase }>> = texts.contract.scopes.declared.scopes

const isScope = (name: string): name is ScopeName => name in sentences

const described = (scopes: Readonly<Record<string, Role>>): Readonly<Record<string, ScopeDeclaration>> =>
  Object.fromEntries(
    Object.entries(scopes).flatMap(([name, offeredTo]) =>
      isScope(name) ? [[name, { offeredTo, ...sentences[name] }]] : [],
    ),
  )

/** The twenty sections. */
export const scopeSections: readonly ScopeSection[] = declared.map(section => ({
  ...section,
  scopes: described(section.scopes),
}))

/** The section that a scope belongs to. */
export const getSection = (scope: string): ScopeSection => {
  const found = scopeSections.find(({ scopes }) => scope in scopes)
  if (found === undefined) throw new Error(`${scope} is not a scope`)
  return found
}
