// One thing: the sections of the API with their scopes.
import { texts } from '#src/texts/index.ts'
import type { Role } from './caller.ts'
import type { Phrase } from './language.ts'

const words = texts.contract.scopes

/** A scope: the sentence on the consent page, and the role with the fewest rights to which it is offered. */
type ScopeDeclaration = { readonly sentence: Phrase; readonly offeredTo: Role }

/** One of the twenty sections of the API, as the documentation groups operations, with its scopes. */
type ScopeSection = {
  readonly name: string
  readonly summary: string
  readonly scopes: Readonly<Record<string, ScopeDeclaration>>
}

// In the order in which they are advertised.
const declared = [
  {
    name: 'school',
    summary: 'The school itself: its name, language, money and staff',
    scopes: {
      'school:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['school:read'].sentence,
      },
      'school:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['school:write'].sentence,
      },
    },
  },
  {
    name: 'members',
    summary: 'The people who have an account in the school',
    scopes: {
      'members:read': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['members:read'].sentence,
      },
      'members:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['members:write'].sentence,
      },
    },
  },
  {
    name: 'storage',
    summary: 'Files on their way into the school',
    scopes: {
      'storage:write': {
        offeredTo: 'member',
        sentence: words.declared.scopes['storage:write'].sentence,
      },
    },
  },
  {
    name: 'appearance',
    summary: 'Logo, colours, navigation and style',
    scopes: {
      'appearance:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['appearance:read'].sentence,
      },
      'appearance:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['appearance:write'].sentence,
      },
    },
  },
  {
    name: 'lecturers',
    summary: 'The public profiles of those who teach',
    scopes: {
      'lecturers:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['lecturers:read'].sentence,
      },
      'lecturers:write': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['lecturers:write'].sentence,
      },
    },
  },
  {
    name: 'courses',
    summary: 'What the school teaches, with prices, categories, reviews and certificates',
    scopes: {
      'courses:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['courses:read'].sentence,
      },
      'courses:write': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['courses:write'].sentence,
      },
    },
  },
  {
    name: 'curriculum',
    summary: 'What a course is made of: sections, lessons, quizzes, assignments',
    scopes: {
      'curriculum:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['curriculum:read'].sentence,
      },
      'curriculum:write': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['curriculum:write'].sentence,
      },
    },
  },
  {
    name: 'students',
    summary: 'Members as learners: enrollments, progress, submissions and grades',
    scopes: {
      'students:read': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['students:read'].sentence,
      },
      'students:write': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['students:write'].sentence,
      },
    },
  },
  {
    name: 'digital_products',
    summary: 'Files the school sells',
    scopes: {
      'digital_products:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['digitalProducts:read'].sentence,
      },
      'digital_products:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['digitalProducts:write'].sentence,
      },
    },
  },
  {
    name: 'membership_plans',
    summary: 'Plans that open several courses at once',
    scopes: {
      'membership_plans:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['membershipPlans:read'].sentence,
      },
      'membership_plans:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['membershipPlans:write'].sentence,
      },
    },
  },
  {
    name: 'coupons',
    summary: 'Price reductions and their codes',
    scopes: {
      'coupons:read': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['coupons:read'].sentence,
      },
      'coupons:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['coupons:write'].sentence,
      },
    },
  },
  {
    name: 'events',
    summary: 'Events at a time and place, with tickets',
    scopes: {
      'events:read': { offeredTo: 'member', sentence: words.declared.scopes['events:read'].sentence },
      'events:write': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['events:write'].sentence,
      },
    },
  },
  {
    name: 'orders',
    summary: 'What was bought, by whom and for how much',
    scopes: {
      'orders:read': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['orders:read'].sentence,
      },
    },
  },
  {
    name: 'subscriptions',
    summary: 'Memberships that run and renew',
    scopes: {
      'subscriptions:read': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['subscriptions:read'].sentence,
      },
      'subscriptions:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['subscriptions:write'].sentence,
      },
    },
  },
  {
    name: 'posts',
    summary: 'The blog of the school',
    scopes: {
      'posts:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['posts:read'].sentence,
      },
      'posts:write': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['posts:write'].sentence,
      },
    },
  },
  {
    name: 'pages',
    summary: 'The pages of the school site',
    scopes: {
      'pages:read': { offeredTo: 'member', sentence: words.declared.scopes['pages:read'].sentence },
      'pages:write': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['pages:write'].sentence,
      },
    },
  },
  {
    name: 'forms',
    summary: 'Forms and the answers that were submitted with them',
    scopes: {
      'forms:read': {
        offeredTo: 'admin',
        sentence: words.declared.scopes['forms:read'].sentence,
      },
    },
  },
  {
    name: 'comments',
    summary: 'Comments on courses, lessons, posts and events',
    scopes: {
      'comments:read': { offeredTo: 'member', sentence: words.declared.scopes['comments:read'].sentence },
    },
  },
  {
    name: 'analytics',
    summary: 'Figures of the school over time',
    scopes: {
      'analytics:read': {
        offeredTo: 'lecturer',
        sentence: words.declared.scopes['analytics:read'].sentence,
      },
    },
  },
  {
    name: 'account',
    summary: 'The person behind the token, at this school',
    scopes: {
      'account:read': {
        offeredTo: 'member',
        sentence: words.declared.scopes['account:read'].sentence,
      },
      'account:write': {
        offeredTo: 'member',
        sentence: words.declared.scopes['account:write'].sentence,
      },
    },
  },
] as const satisfies readonly ScopeSection[]

type KeysOf<T> = T extends unknown ? keyof T : never

/** The name of a scope of the API. */
export type ScopeName = KeysOf<(typeof declared)[number]['scopes']>

/** The name of a section. */
export type SectionName = (typeof declared)[number]['name']

/** The twenty sections. */
export const scopeSections: readonly ScopeSection[] = declared

/** The section that a scope belongs to. */
export const sectionOf = (scope: string): ScopeSection => {
  const found = scopeSections.find(({ scopes }) => scope in scopes)
  if (found === undefined) throw new Error(`${scope} is not a scope`)
  return found
}
