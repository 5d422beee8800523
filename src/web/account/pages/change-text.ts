import type { Phrase } from '#src/contract/language.ts'
import { formErrors } from '#src/identity/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages for changing password, address and profile, in every language; `{…}` is filled in. */
export const changeText = {
  password: {
    title: say('Change the password', 'Mudar a palavra-passe'),
    intro: say(
      'You stay signed in here and are signed out everywhere else.',
      'Esta sessão continua e todas as outras terminam.',
    ),
    current: say('Current password', 'Palavra-passe atual'),
    fresh: say('New password', 'Nova palavra-passe'),
    hint: say(
      'At least 10 characters; a sentence only you would write is best.',
      'Pelo menos 10 caracteres; o melhor é uma frase que só você escreveria.',
    ),
    apps: say('Also disconnect all apps', 'Desligar também todas as aplicações'),
    appsHint: say(
      'Otherwise they stay connected. Select this if someone else may know the password.',
      'Caso contrário, continuam ligadas. Selecione se outra pessoa puder saber a palavra-passe.',
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
      'If {email} has an account here, you will receive an e-mail with a six-digit code that is valid for 15 minutes. Check your spam folder too.',
      'Se {email} tiver conta aqui, vai receber uma mensagem com um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
    ),
    button: say('Set the password', 'Definir a palavra-passe'),
    remembered: say('Back to sign-in', 'Voltar ao início de sessão'),
  },
  email: {
    title: say('E-mail address', 'Endereço de e-mail'),
    intro: say(
      'Your address is {email}. We send a code to the new address; the change takes effect once you have entered the code.',
      'O seu endereço é {email}. Enviamos um código para o novo endereço; a alteração tem efeito quando introduzir o código.',
    ),
    introUnproven: say(
      'Your address {email} is not confirmed yet. We send a code to it, or to another address if you prefer.',
      'O seu endereço {email} ainda não está confirmado. Enviamos um código para ele ou para outro que prefira.',
    ),
    fresh: say('E-mail address', 'Endereço de e-mail'),
    freshOther: say('New e-mail address', 'Novo endereço de e-mail'),
    button: say('Send me a code', 'Enviar-me um código'),
  },
  code: {
    title: say('Enter the code from the e-mail', 'Introduza o código da mensagem'),
    intro: say(
      'We have sent an e-mail to {email}. It contains a six-digit code that is valid for 15 minutes. Check your spam folder too.',
      'Enviámos uma mensagem para {email}. Contém um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
    ),
    code: say('Six-digit code', 'Código de seis algarismos'),
    button: say('Use this address', 'Usar este endereço'),
    again: say('Another address, or a new code', 'Outro endereço ou um novo código'),
  },
  profile: {
    title: say('Name, language and time zone', 'Nome, idioma e fuso horário'),
    name: say('Name', 'Nome'),
    locale: say('Language', 'Idioma'),
    schoolLocale: say('The language of the school', 'O idioma da escola'),
    localeHint: say(
      'Pages and e-mails of the school are in English or Portuguese; apps may support more languages.',
      'As páginas e mensagens da escola estão em inglês ou português; as aplicações podem suportar mais idiomas.',
    ),
    timeZone: say('Time zone', 'Fuso horário'),
    noTimeZone: say('Not set', 'Não definido'),
    button: say('Save', 'Guardar'),
  },
  errors: {
    ...formErrors,
    current: say('The current password is not correct.', 'A palavra-passe atual não está certa.'),
    too_many_tries: say(
      'Too many attempts. Please try again in {minutes} minutes.',
      'Demasiadas tentativas. Tente novamente dentro de {minutes} minutos.',
    ),
    same: say('This is your address already.', 'Este já é o seu endereço.'),
    taken: say(
      'Another member has just taken this address. Your address was not changed.',
      'Outro membro acabou de ficar com este endereço. O seu endereço não foi alterado.',
    ),
    has_account: say(
      'This address already has an account. Sign in with it.',
      'Este endereço já tem uma conta. Inicie sessão com ela.',
    ),
    locale: say('This language is not supported.', 'Este idioma não é suportado.'),
    time_zone: say('This time zone is not supported.', 'Este fuso horário não é suportado.'),
  },
} as const

/** The errors of the forms on these pages. */
export type ChangeError = keyof typeof changeText.errors
