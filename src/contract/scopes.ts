// One thing: the sections of the API with their scopes.
import type { Role } from './caller.ts'
import type { Phrase } from './language.ts'

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
        sentence: {
          en: "See the school's public settings and, for staff, all of them",
          pt: 'Ver os dados públicos da escola e, para a equipa, todas as definições',
        },
      },
      'school:write': {
        offeredTo: 'admin',
        sentence: { en: "Change the school's settings", pt: 'Alterar as definições da escola' },
      },
    },
  },
  {
    name: 'members',
    summary: 'The people who have an account in the school',
    scopes: {
      'members:read': {
        offeredTo: 'admin',
        sentence: { en: 'See all members, with their contact details', pt: 'Ver todos os membros e os seus contactos' },
      },
      'members:write': {
        offeredTo: 'admin',
        sentence: {
          en: 'Add, change, suspend and remove members',
          pt: 'Adicionar, alterar, suspender e remover membros',
        },
      },
    },
  },
  {
    name: 'storage',
    summary: 'Files on their way into the school',
    scopes: {
      'storage:write': {
        offeredTo: 'member',
        sentence: { en: 'Upload files for you', pt: 'Carregar ficheiros em seu nome' },
      },
    },
  },
  {
    name: 'appearance',
    summary: 'Logo, colours, navigation and style',
    scopes: {
      'appearance:read': {
        offeredTo: 'member',
        sentence: { en: "See the school's appearance", pt: 'Ver a aparência da escola' },
      },
      'appearance:write': {
        offeredTo: 'admin',
        sentence: { en: "Change the school's appearance", pt: 'Alterar a aparência da escola' },
      },
    },
  },
  {
    name: 'lecturers',
    summary: 'The public profiles of those who teach',
    scopes: {
      'lecturers:read': {
        offeredTo: 'member',
        sentence: { en: 'See the profiles of lecturers', pt: 'Ver os perfis dos docentes' },
      },
      'lecturers:write': {
        offeredTo: 'lecturer',
        sentence: { en: 'Change the profiles of lecturers', pt: 'Alterar os perfis dos docentes' },
      },
    },
  },
  {
    name: 'courses',
    summary: 'What the school teaches, with prices, categories, reviews and certificates',
    scopes: {
      'courses:read': {
        offeredTo: 'member',
        sentence: { en: 'See courses and what they cost', pt: 'Ver os cursos e os seus preços' },
      },
      'courses:write': {
        offeredTo: 'lecturer',
        sentence: { en: 'Create, change and publish courses', pt: 'Criar, alterar e publicar cursos' },
      },
    },
  },
  {
    name: 'curriculum',
    summary: 'What a course is made of: sections, lessons, quizzes, assignments',
    scopes: {
      'curriculum:read': {
        offeredTo: 'member',
        sentence: { en: 'Read the lessons that are open to you', pt: 'Ler as aulas a que tem acesso' },
      },
      'curriculum:write': {
        offeredTo: 'lecturer',
        sentence: { en: 'Create, change and rearrange lessons', pt: 'Criar, alterar e reorganizar aulas' },
      },
    },
  },
  {
    name: 'students',
    summary: 'Members as learners: enrollments, progress, submissions and grades',
    scopes: {
      'students:read': {
        offeredTo: 'lecturer',
        sentence: {
          en: 'See students, their progress and their grades',
          pt: 'Ver os alunos, o seu progresso e as suas notas',
        },
      },
      'students:write': {
        offeredTo: 'lecturer',
        sentence: {
          en: 'Enroll students, grade their work and end their access',
          pt: 'Inscrever alunos, avaliar trabalhos e terminar acessos',
        },
      },
    },
  },
  {
    name: 'digital_products',
    summary: 'Files the school sells',
    scopes: {
      'digital_products:read': {
        offeredTo: 'member',
        sentence: { en: 'See digital products and what they cost', pt: 'Ver os produtos digitais e os seus preços' },
      },
      'digital_products:write': {
        offeredTo: 'admin',
        sentence: {
          en: 'Create, change and give away digital products',
          pt: 'Criar, alterar e oferecer produtos digitais',
        },
      },
    },
  },
  {
    name: 'membership_plans',
    summary: 'Plans that open several courses at once',
    scopes: {
      'membership_plans:read': {
        offeredTo: 'member',
        sentence: { en: 'See membership plans and what they cost', pt: 'Ver os planos e os seus preços' },
      },
      'membership_plans:write': {
        offeredTo: 'admin',
        sentence: { en: 'Create and change membership plans', pt: 'Criar e alterar planos' },
      },
    },
  },
  {
    name: 'coupons',
    summary: 'Price reductions and their codes',
    scopes: {
      'coupons:read': {
        offeredTo: 'admin',
        sentence: {
          en: 'See coupons, their codes and who used them',
          pt: 'Ver os cupões, os seus códigos e quem os usou',
        },
      },
      'coupons:write': {
        offeredTo: 'admin',
        sentence: { en: 'Create and change coupons', pt: 'Criar e alterar cupões' },
      },
    },
  },
  {
    name: 'events',
    summary: 'Events at a time and place, with tickets',
    scopes: {
      'events:read': { offeredTo: 'member', sentence: { en: 'See events', pt: 'Ver eventos' } },
      'events:write': {
        offeredTo: 'lecturer',
        sentence: {
          en: 'Create, change and cancel events, and manage registrations',
          pt: 'Criar, alterar e cancelar eventos e gerir inscrições',
        },
      },
    },
  },
  {
    name: 'orders',
    summary: 'What was bought, by whom and for how much',
    scopes: {
      'orders:read': {
        offeredTo: 'admin',
        sentence: {
          en: "See all orders, with buyers' names and amounts",
          pt: 'Ver todas as encomendas, com nomes e valores',
        },
      },
    },
  },
  {
    name: 'subscriptions',
    summary: 'Memberships that run and renew',
    scopes: {
      'subscriptions:read': {
        offeredTo: 'admin',
        sentence: { en: 'See all subscriptions', pt: 'Ver todas as assinaturas' },
      },
      'subscriptions:write': {
        offeredTo: 'admin',
        sentence: {
          en: 'Give, extend, pause and cancel subscriptions',
          pt: 'Atribuir, prolongar, suspender e cancelar assinaturas',
        },
      },
    },
  },
  {
    name: 'posts',
    summary: 'The blog of the school',
    scopes: {
      'posts:read': {
        offeredTo: 'member',
        sentence: { en: 'Read the posts that are open to you', pt: 'Ler os artigos a que tem acesso' },
      },
      'posts:write': {
        offeredTo: 'lecturer',
        sentence: { en: 'Write, change and publish posts', pt: 'Escrever, alterar e publicar artigos' },
      },
    },
  },
  {
    name: 'pages',
    summary: 'The pages of the school site',
    scopes: {
      'pages:read': { offeredTo: 'member', sentence: { en: 'Read pages', pt: 'Ler páginas' } },
      'pages:write': {
        offeredTo: 'admin',
        sentence: { en: 'Create, change and publish pages', pt: 'Criar, alterar e publicar páginas' },
      },
    },
  },
  {
    name: 'forms',
    summary: 'Forms and the answers that were submitted with them',
    scopes: {
      'forms:read': {
        offeredTo: 'admin',
        sentence: { en: 'See forms and what people answered', pt: 'Ver formulários e as respostas recebidas' },
      },
    },
  },
  {
    name: 'comments',
    summary: 'Comments on courses, lessons, posts and events',
    scopes: {
      'comments:read': { offeredTo: 'member', sentence: { en: 'Read comments', pt: 'Ler comentários' } },
    },
  },
  {
    name: 'analytics',
    summary: 'Figures of the school over time',
    scopes: {
      'analytics:read': {
        offeredTo: 'lecturer',
        sentence: {
          en: 'See figures about revenue, learning and attendance',
          pt: 'Ver indicadores de receita, aprendizagem e participação',
        },
      },
    },
  },
  {
    name: 'account',
    summary: 'The person behind the token, at this school',
    scopes: {
      'account:read': {
        offeredTo: 'member',
        sentence: {
          en: 'See your own account: profile, enrollments, orders and certificates',
          pt: 'Ver a sua conta: perfil, inscrições, encomendas e certificados',
        },
      },
      'account:write': {
        offeredTo: 'member',
        sentence: {
          en: 'Act for you in your own account: learn, comment, register and begin a purchase',
          pt: 'Agir por si na sua conta: aprender, comentar, inscrever-se e iniciar uma compra',
        },
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
