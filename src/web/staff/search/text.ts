import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the search, in every language. */
export const searchText = {
  title: say('Search', 'Procurar'),
  about: say(
    'People, courses, orders, products, coupons and pages',
    'Pessoas, cursos, encomendas, produtos, cupões e páginas',
  ),
  label: say('Search the school', 'Procurar na escola'),
  hint: say(
    'Beginnings of words: a name, an address, a number of an order, a code.',
    'Inícios de palavras: um nome, um endereço, o número de uma encomenda, um código.',
  ),
  button: say('Search', 'Procurar'),
  none: say('Nothing was found for “{q}”.', 'Nada foi encontrado para «{q}».'),
  all: say('All results', 'Todos os resultados'),
  groups: {
    people: say('People', 'Pessoas'),
    courses: say('Courses', 'Cursos'),
    orders: say('Orders', 'Encomendas'),
    products: say('Products', 'Produtos'),
    coupons: say('Coupons', 'Cupões'),
    pages: say('Pages', 'Páginas'),
  },
} as const
