import type { Phrase } from '#src/contract/language.ts'
import { formErrors } from '#src/identity/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What the pages for changing password, address and profile say, in every language; `{…}` is filled in. */
export const changeText = {
  password: {
    title: say('Change the password', 'Mudar a palavra-passe'),
    intro: say(
      'You stay signed in here and are signed out everywhere else.',
      'A sessão continua aqui e termina em todos os outros sítios.',
    ),
    current: say('Current password', 'Palavra-passe atual'),
    fresh: say('New password', 'Nova palavra-passe'),
    hint: say(
      'At least 10 characters; a sentence only you would write is best.',
      'Pelo menos 10 caracteres; o melhor é uma frase que só você escreveria.',
    ),
    apps: say('Also disconnect all apps', 'Desligar também todas as aplicações'),
    appsHint: say(
      'They stay connected otherwise. Tick this if somebody else may have known the password.',
      'Caso contrário, continuam ligadas. Assinale se outra pessoa puder ter sabido a palavra-passe.',
    ),
    button: say('Change the password', 'Mudar a palavra-passe'),
  },
  reset: {
    title: say('Set a new password', 'Definir uma nova palavra-passe'),
    intro: say(
      'We send a code to your address. Setting a new password signs you out everywhere else and disconnects all apps.',
      'Enviamos um código para o seu endereço. Definir uma nova palavra-passe termina as outras sessões e desliga todas as aplicações.',
    ),
    email: say('E-mail address', 'Endereço de e-mail'),
    send: say('Send me a code', 'Enviar-me um código'),
    codeIntro: say(
      'If {email} has an account here, a mail with a code of six digits is on its way. It holds for 15 minutes. Look into the spam folder too.',
      'Se {email} tiver conta aqui, vai receber uma mensagem com um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
    ),
    button: say('Set the password', 'Definir a palavra-passe'),
    remembered: say('Back to sign-in', 'Voltar ao início de sessão'),
  },
  email: {
    title: say('E-mail address', 'Endereço de e-mail'),
    intro: say(
      'Your address is {email}. We send a code to the address you want; it takes effect once you have typed the code.',
      'O seu endereço é {email}. Enviamos um código para o endereço que quer; passa a valer quando escrever o código.',
    ),
    introUnproven: say(
      'Your address {email} is not confirmed yet. We send a code to it, or to another one that you want instead.',
      'O seu endereço {email} ainda não está confirmado. Enviamos um código para ele ou para outro que prefira.',
    ),
    fresh: say('E-mail address', 'Endereço de e-mail'),
    freshOther: say('New e-mail address', 'Novo endereço de e-mail'),
    button: say('Send me a code', 'Enviar-me um código'),
  },
  code: {
    title: say('Type the code from the mail', 'Escreva o código da mensagem'),
    intro: say(
      'We have sent a mail to {email}. It has a code of six digits that holds for 15 minutes. Look into the spam folder too.',
      'Enviámos uma mensagem para {email}. Traz um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
    ),
    code: say('Code of six digits', 'Código de seis algarismos'),
    button: say('Use this address', 'Usar este endereço'),
    again: say('Another address, or a new code', 'Outro endereço ou um novo código'),
  },
  profile: {
    title: say('Name, language and time zone', 'Nome, idioma e fuso horário'),
    name: say('Name', 'Nome'),
    locale: say('Language', 'Idioma'),
    schoolLocale: say('As the school has it', 'O da escola'),
    localeHint: say(
      'Pages and mails of the school speak English and Portuguese so far; apps may speak more.',
      'As páginas e mensagens da escola falam inglês e português; as aplicações podem falar mais.',
    ),
    timeZone: say('Time zone', 'Fuso horário'),
    noTimeZone: say('Not set', 'Não definido'),
    button: say('Save', 'Guardar'),
  },
  faults: {
    ...formErrors,
    current: say('The current password is not correct.', 'A palavra-passe atual não está certa.'),
    too_many_tries: say(
      'Too many attempts. Please try again in {minutes} minutes.',
      'Demasiadas tentativas. Tente novamente dentro de {minutes} minutos.',
    ),
    same: say('This is your address already.', 'Este já é o seu endereço.'),
    taken: say(
      'Somebody else got this address a moment ago. Your address stays as it was.',
      'Outra pessoa acabou de ficar com este endereço. O seu endereço continua o mesmo.',
    ),
    locale: say('This is not a language we know.', 'Não conhecemos este idioma.'),
    time_zone: say('This is not a time zone we know.', 'Não conhecemos este fuso horário.'),
  },
} as const

/** What can be wrong with what a person typed on these pages. */
export type ChangeFault = keyof typeof changeText.faults
