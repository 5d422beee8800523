import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts that several pages of digital products have, in every language; `{…}` is filled in. */
export const productsText = {
  title: say('Products', 'Produtos'),
  about: say('Files that the school sells or gives', 'Ficheiros que a escola vende ou oferece'),
  add: say('Create a product', 'Criar um produto'),
  back: say('Back to the products', 'Voltar aos produtos'),
  backToOne: say('Back to the product', 'Voltar ao produto'),
  statuses: {
    draft: say('draft', 'rascunho'),
    published: say('published', 'publicado'),
    archived: say('archived', 'arquivado'),
  },
  free: say('Free', 'Grátis'),
  noPrice: say('no price', 'sem preço'),
  files: { one: say('1 file', '1 ficheiro'), other: say('{n} files', '{n} ficheiros') },
  holders: say('holders: {n}', 'com acesso: {n}'),
  sales: say('sold: {n}', 'vendas: {n}'),
} as const

/** The sentences for refusals on these pages. */
export const productRefusals = {
  ...teachingText.refusals,
  precondition_failed: say(
    'Somebody has changed the product since you opened the page, so nothing was done. Check it again.',
    'Alguém alterou o produto desde que abriu a página, por isso nada foi feito. Verifique-o de novo.',
  ),
  slug_taken: say(
    'Another product has this name in addresses. Choose another one.',
    'Outro produto tem este nome nos endereços. Escolha outro.',
  ),
  product_in_use: say(
    'Somebody has or had the product, so it cannot be deleted. Archive it instead.',
    'Alguém tem ou teve o produto, por isso não pode ser apagado. Arquive-o.',
  ),
  invalid_state: say('The status of the product does not allow this.', 'O estado do produto não o permite.'),
  price_archived: say('This price is no longer for sale.', 'Este preço já não está à venda.'),
  too_many_prices: say(
    'The product has too many prices. End some first.',
    'O produto tem demasiados preços. Termine alguns primeiro.',
  ),
  gift_exists: say('The member has this gift already.', 'O membro já tem esta oferta.'),
  email_taken: say(
    'This address belongs to a member already. Try again.',
    'Este endereço já pertence a um membro. Tente de novo.',
  ),
  'invalid_body name': say('Please enter a name.', 'Escreva um nome.'),
  'invalid_body slug': say(
    'The name in addresses has small letters, digits and hyphens.',
    'O nome nos endereços tem letras minúsculas, algarismos e hífenes.',
  ),
  'invalid_body description': say('The description is too long.', 'A descrição é demasiado longa.'),
  'invalid_body category_ids': say('A product has at most 20 categories.', 'Um produto tem no máximo 20 categorias.'),
  'invalid_body tags': say(
    'Tags have at most 50 characters each, and there are at most 20.',
    'As etiquetas têm no máximo 50 caracteres, e são no máximo 20.',
  ),
  'invalid_body download_limit': say(
    'The downloads of each file are a number from 1 to 1,000, or empty for as many as people like.',
    'As transferências de cada ficheiro são um número de 1 a 1000, ou em branco para as que quiserem.',
  ),
  'invalid_body link_minutes': say(
    'A link works for 5 to 10,080 minutes, which is a week.',
    'Uma ligação funciona de 5 a 10 080 minutos, que é uma semana.',
  ),
  'invalid_body amount': say(
    'Enter an amount such as 12.50. It is 0 for a free price only.',
    'Escreva um valor como 12,50. Só é 0 num preço grátis.',
  ),
  'invalid_body access': say(
    'Access lasts a whole number of days, from 1 on.',
    'O acesso dura um número inteiro de dias, a partir de 1.',
  ),
  'invalid_body at': say(
    'Enter a day and a time that are not over.',
    'Escreva um dia e uma hora que ainda não passaram.',
  ),
  'invalid_body ends_at': say(
    'The last day must be a day that is not over.',
    'O último dia tem de ser um dia que ainda não passou.',
  ),
  'invalid_body email': say('This is not an e-mail address.', 'Isto não é um endereço de e-mail.'),
} as const
