import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What forms for signing in, addresses and passwords answer to values that are not accepted. */
export const formErrors = {
  email: say('This is not an e-mail address.', 'Isto não é um endereço de e-mail.'),
  short: say('The password needs at least 10 characters.', 'A palavra-passe precisa de pelo menos 10 caracteres.'),
  long: say('The password may have at most 256 characters.', 'A palavra-passe pode ter no máximo 256 caracteres.'),
  common: say(
    'Very many people have this password. Please choose another.',
    'Muitas pessoas têm esta palavra-passe. Escolha outra.',
  ),
  personal: say(
    'The password contains your name, your address or the name of the school. Please choose another.',
    'A palavra-passe contém o seu nome, o seu endereço ou o nome da escola. Escolha outra.',
  ),
  code: say(
    'This code is not correct, or has expired or been used. After five tries ask for a new one.',
    'Este código não está certo, expirou ou já foi usado. Ao fim de cinco tentativas, peça um novo.',
  ),
  too_many_codes: say(
    'Too many codes were requested. Please try again in {minutes} minutes.',
    'Foram pedidos demasiados códigos. Tente novamente dentro de {minutes} minutos.',
  ),
  name: say(
    'Please tell us your name, in at most 120 characters.',
    'Diga-nos o seu nome, no máximo com 120 caracteres.',
  ),
} as const
