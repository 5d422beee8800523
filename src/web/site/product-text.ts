import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts around the products of a school, in every language; `{…}` is filled in. */
export const productText = {
  title: say('Downloads', 'Para descarregar'),
  intro: say('Books, tables and other files from {school}.', 'Livros, tabelas e outros ficheiros de {school}.'),
  none: say('There is nothing to download yet.', 'Ainda não há nada para descarregar.'),
  next: say('More', 'Mais'),
  first: say('Back to the first page', 'Voltar à primeira página'),
  fileCount: { one: say('{n} file', '{n} ficheiro'), other: say('{n} files', '{n} ficheiros') },
  about: say('About it', 'Descrição'),
  files: say('What you get', 'O que recebe'),
  license: say('What you may do with it', 'O que pode fazer com isto'),
  sample: say('See a sample', 'Ver uma amostra'),
  noPrices: say('It is not for sale at the moment.', 'De momento não está à venda.'),
} as const
