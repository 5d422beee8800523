import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts around the posts of a school, in every language; `{…}` is filled in. */
export const blogText = {
  title: say('Blog', 'Blogue'),
  intro: say('News and stories from {school}.', 'Novidades e histórias de {school}.'),
  inCategory: say('Blog: {category}', 'Blogue: {category}'),
  tagged: say('Posts about {tag}', 'Artigos sobre {tag}'),
  all: say('All', 'Todos'),
  categories: say('Categories', 'Categorias'),
  tags: say('Tags', 'Etiquetas'),
  none: say('There are no posts yet.', 'Ainda não há artigos.'),
  next: say('Older posts', 'Artigos mais antigos'),
  first: say('Back to the newest posts', 'Voltar aos artigos mais recentes'),
  feed: say('Follow this blog in a feed reader', 'Siga este blogue num leitor de feeds'),
  by: say('By {name}', 'Por {name}'),
  minutes: {
    one: say('{n} minute to read', '{n} minuto de leitura'),
    other: say('{n} minutes to read', '{n} minutos de leitura'),
  },
  featured: say('Featured', 'Em destaque'),
  forMembers: say('For members', 'Para membros'),
  forPlans: say('For members with a plan', 'Para membros com um plano'),
  lockedMembers: say('Members of {school} read on.', 'Os membros de {school} podem ler o resto.'),
  lockedPaid: say(
    'The rest is for members whose plan opens it.',
    'O resto é para os membros cujo plano lhe dá acesso.',
  ),
  notInPlan: say('Your membership does not open this post.', 'A sua adesão não dá acesso a este artigo.'),
  readOn: say('Read on', 'Ler o resto'),
} as const
