import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of questions that people answer, in every language; `{…}` is filled in. */
export const questionsText = {
  required: say('(required)', '(obrigatório)'),
  onlyIf: say('Answer this if “{field}” is “{value}”.', 'Responda se «{field}» for «{value}».'),
  agreed: say('agreed', 'aceite'),
  choose: say('Please choose', 'Escolha'),
  atMost: say('At most {size} MB.', 'No máximo {size} MB.'),
  kept: say(
    'Sent already: {name}. Choose another file to replace it.',
    'Já enviado: {name}. Escolha outro ficheiro para o substituir.',
  ),
  errors: {
    required: say('Please answer this.', 'Responda, por favor.'),
    email: say('This is not an e-mail address.', 'Isto não é um endereço de e-mail.'),
    phone: say('This is not a telephone number.', 'Isto não é um número de telefone.'),
    url: say('Please write an address that begins with https://', 'Escreva um endereço que comece por https://'),
    date: say('This is not a day of the calendar.', 'Isto não é um dia do calendário.'),
    type: say('Please enter a number.', 'Escreva um número.'),
    minimum: say('The number is too small.', 'O número é demasiado pequeno.'),
    maximum: say('The number is too large.', 'O número é demasiado grande.'),
    maxLength: say('The answer is too long.', 'A resposta é demasiado longa.'),
    minLength: say('The answer is too short.', 'A resposta é demasiado curta.'),
    minItems: say('Please choose more.', 'Escolha mais.'),
    maxItems: say('Please choose fewer.', 'Escolha menos.'),
    unknown: say('Please choose the file again.', 'Escolha o ficheiro de novo.'),
    type_mismatch: say('A file of this type does not fit here.', 'Um ficheiro deste tipo não serve aqui.'),
    other: say('This answer does not fit here.', 'Esta resposta não serve aqui.'),
  },
} as const
