import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The error messages of the forms for sign-in, addresses and passwords. */
export const formErrors = {
  email: say('This is not an e-mail address.', 'Isto não é um endereço de e-mail.'),
  short: say('The password needs at least 10 characters.', 'A palavra-passe precisa de pelo menos 10 caracteres.'),
  long: say('The password may have at most 256 characters.', 'A palavra-passe pode ter no máximo 256 caracteres.'),
  common: say(
    'This password is too common. Please choose another one.',
    'Esta palavra-passe é demasiado comum. Escolha outra.',
  ),
  personal: say(
    'The password contains your name, your address or the name of the school. Please choose another one.',
    'A palavra-passe contém o seu nome, o seu endereço ou o nome da escola. Escolha outra.',
  ),
  code: say(
    'This code is not correct, has expired or was already used. After five attempts, request a new one.',
    'Este código não está certo, expirou ou já foi usado. Após cinco tentativas, peça um novo.',
  ),
  too_many_codes: say(
    'Too many codes were requested. Please try again in {minutes} minutes.',
    'Foram pedidos demasiados códigos. Tente novamente dentro de {minutes} minutos.',
  ),
  name: say(
    'Please enter your name, in at most 120 characters.',
    'Introduza o seu nome, com 120 caracteres no máximo.',
  ),
} as const
