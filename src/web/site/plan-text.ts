import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts around the membership plans of a school, in every language; `{…}` is filled in. */
export const planText = {
  title: say('Memberships', 'Planos'),
  intro: say(
    'Several courses and more at one price, from {school}.',
    'Vários cursos e mais por um só preço, de {school}.',
  ),
  none: say('There are no memberships yet.', 'Ainda não há planos.'),
  next: say('More', 'Mais'),
  first: say('Back to the first page', 'Voltar à primeira página'),
  benefits: say('What you get', 'O que recebe'),
  about: say('About it', 'Descrição'),
  items: say('Included', 'Incluído'),
  moreItems: { one: say('and {n} more', 'e mais {n}'), other: say('and {n} more', 'e mais {n}') },
  posts: say('Posts for members with a plan', 'Artigos para membros com um plano'),
  noPrices: say('It is not for sale at the moment.', 'De momento não está à venda.'),
  itemCount: {
    one: say('{n} thing included', '{n} conteúdo incluído'),
    other: say('{n} things included', '{n} conteúdos incluídos'),
  },
  types: {
    course: say('Course', 'Curso'),
    digital_product: say('Download', 'Para descarregar'),
    event: say('Event', 'Evento'),
    post_category: say('Posts', 'Artigos'),
  },
} as const
