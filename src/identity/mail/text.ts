import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

type MailText = { readonly subject: Phrase; readonly paragraphs: readonly Phrase[] }

const code = say('{code}', '{code}')
const link = say('{link}', '{link}')
const account = say('{account}', '{account}')
const codeValidity = say(
  'The code is valid for 15 minutes, works once, and only in the browser where you requested it. Never share it with anyone.',
  'O código é válido durante 15 minutos, só pode ser usado uma vez e apenas no navegador onde o pediu. Nunca o partilhe com ninguém.',
)
const notYou = say(
  'If you did not request this, you can ignore this e-mail: nothing has changed.',
  'Se não fez este pedido, pode ignorar esta mensagem: nada mudou.',
)
const seeApps = say(
  'See your connected apps, and disconnect those you no longer use:',
  'Veja as aplicações ligadas à sua conta e desligue as que já não usa:',
)
const unnamed = say('An app that calls itself “{client}”', 'Uma aplicação que se apresenta como «{client}»')

/**
 * The texts of the mails in every language; `{…}` is filled in, and a paragraph with only a code or link is
 * highlighted.
 */
export const mails = {
  address_code: {
    subject: say('Your code for {school}', 'O seu código para {school}'),
    paragraphs: [
      say('Enter this code on the page where you requested it:', 'Introduza este código na página onde o pediu:'),
      code,
      codeValidity,
      notYou,
    ],
  },
  account_exists: {
    subject: say('You already have an account at {school}', 'Já tem uma conta em {school}'),
    paragraphs: [
      say(
        'Someone, probably you, tried to create an account at {school} with this address. The address already has an account, so no new account was created.',
        'Alguém, provavelmente você, tentou criar uma conta em {school} com este endereço. O endereço já tem uma conta, por isso não foi criada outra.',
      ),
      say(
        'To sign in, go back and choose “Sign in”. If you forgot your password, choose “Forgot your password?” on that page and set a new one.',
        'Para entrar, volte atrás e escolha «Iniciar sessão». Se se esqueceu da palavra-passe, escolha «Esqueceu-se da palavra-passe?» nessa página e defina uma nova.',
      ),
      notYou,
    ],
  },
  invitation: {
    subject: say('You are invited to {school}', 'Foi convidado para {school}'),
    paragraphs: [
      say('{school} has invited you. Open this page:', '{school} convidou-o. Abra esta página:'),
      link,
      say('Enter this code there:', 'Introduza lá este código:'),
      code,
      say(
        'The invitation is valid for 7 days. If you did not expect it, you can ignore this e-mail.',
        'O convite é válido durante 7 dias. Se não o esperava, pode ignorar esta mensagem.',
      ),
    ],
  },
  reset: {
    subject: say('Set a new password at {school}', 'Definir uma nova palavra-passe em {school}'),
    paragraphs: [
      say(
        'Enter this code on the page where you requested it, and choose a new password there:',
        'Introduza este código na página onde o pediu e escolha lá uma nova palavra-passe:',
      ),
      code,
      codeValidity,
      notYou,
    ],
  },
  password_changed: {
    subject: say('Your password at {school} was changed', 'A sua palavra-passe em {school} foi alterada'),
    paragraphs: [
      say(
        'The password of your account was changed. You were signed out everywhere else, and your connected apps were disconnected.',
        'A palavra-passe da sua conta foi alterada. As outras sessões terminaram e as aplicações ligadas foram desligadas.',
      ),
      seeApps,
      account,
      say(
        'If this was not you, set a new password immediately and contact the school by replying to this e-mail.',
        'Se não foi você, defina imediatamente uma nova palavra-passe e contacte a escola respondendo a esta mensagem.',
      ),
    ],
  },
  password_replaced: {
    subject: say('Your password at {school} was changed', 'A sua palavra-passe em {school} foi alterada'),
    paragraphs: [
      say(
        'The password of your account was changed. You were signed out everywhere else. Your connected apps stay connected.',
        'A palavra-passe da sua conta foi alterada. As outras sessões terminaram. As aplicações ligadas continuam ligadas.',
      ),
      seeApps,
      account,
      say(
        'If this was not you, set a new password immediately and contact the school by replying to this e-mail.',
        'Se não foi você, defina imediatamente uma nova palavra-passe e contacte a escola respondendo a esta mensagem.',
      ),
    ],
  },
  address_taken: {
    subject: say('Your address is already in use at {school}', 'O seu endereço já está em uso em {school}'),
    paragraphs: [
      say(
        'Someone, probably you, tried to use this address for another account at {school}. The address already belongs to your account, so nothing was changed.',
        'Alguém, provavelmente você, tentou usar este endereço noutra conta em {school}. O endereço já pertence à sua conta, por isso nada mudou.',
      ),
      notYou,
    ],
  },
  email_changed: {
    subject: say('Your e-mail address at {school} was changed', 'O seu endereço de e-mail em {school} foi alterado'),
    paragraphs: [
      say('The address of your account is now {email}.', 'O endereço da sua conta é agora {email}.'),
      say(
        'If this was not you, contact the school immediately by replying to this e-mail.',
        'Se não foi você, contacte imediatamente a escola respondendo a esta mensagem.',
      ),
      account,
    ],
  },
  export_ready: {
    subject: say('The copy of your data at {school} is ready', 'A cópia dos seus dados em {school} está pronta'),
    paragraphs: [
      say(
        'You requested a copy of all data that {school} stores about you. It is available until {until} in the app where you requested it.',
        'Pediu uma cópia de todos os dados que {school} guarda sobre si. Está disponível até {until} na aplicação onde a pediu.',
      ),
      say(
        'If you did not request it, disconnect the apps that you do not recognise:',
        'Se não a pediu, desligue as aplicações que não reconhece:',
      ),
      account,
    ],
  },
  deletion_begun: {
    subject: say('Your account at {school} will be deleted', 'A sua conta em {school} vai ser eliminada'),
    paragraphs: [
      say(
        'As you requested, your account and everything in it will be permanently deleted on {due}. Until then everything works as before.',
        'Como pediu, a sua conta e tudo o que ela contém serão eliminados definitivamente em {due}. Até lá tudo funciona como antes.',
      ),
      say(
        'If you change your mind, cancel the deletion before that day in the app where you requested it. If you did not request it, change your password immediately and contact the school by replying to this e-mail.',
        'Se mudar de ideias, anule o pedido antes desse dia na aplicação onde o fez. Se não fez este pedido, altere imediatamente a palavra-passe e contacte a escola respondendo a esta mensagem.',
      ),
      account,
    ],
  },
  account_deleted: {
    subject: say('Your account at {school} was deleted', 'A sua conta em {school} foi eliminada'),
    paragraphs: [
      say(
        'As you requested, your account at {school} was deleted with all your personal data. Orders stay without your name. Invoices that were issued to you keep your name and address for as long as the law requires. Earlier backups contain your data until they are deleted.',
        'Como pediu, a sua conta em {school} foi eliminada com todos os seus dados pessoais. As encomendas ficam sem o seu nome. As faturas que lhe foram emitidas conservam o seu nome e morada durante o prazo que a lei exige. As cópias de segurança anteriores contêm os seus dados até serem eliminadas.',
      ),
      say('This is the last e-mail that we send you.', 'Esta é a última mensagem que lhe enviamos.'),
    ],
  },
  app_connected: {
    subject: say(
      'An app was connected to your account at {school}',
      'Uma aplicação foi ligada à sua conta em {school}',
    ),
    paragraphs: [
      say(
        `${unnamed.en} now has access to your account. You allowed this for the first time today.`,
        `${unnamed.pt} tem agora acesso à sua conta. Permitiu-o hoje pela primeira vez.`,
      ),
      seeApps,
      account,
    ],
  },
  app_stopped: {
    subject: say(
      'An app was disconnected from your account at {school}',
      'Uma aplicação foi desligada da sua conta em {school}',
    ),
    paragraphs: [
      say(
        `${unnamed.en} used an outdated key to your account, which can mean that the key was stolen. For your safety its access was ended; the app can ask you for access again.`,
        `${unnamed.pt} usou uma chave desatualizada da sua conta, o que pode significar que a chave foi roubada. Por segurança, o acesso foi terminado; a aplicação pode voltar a pedi-lo.`,
      ),
      seeApps,
      account,
    ],
  },
  enrolled: {
    subject: say('You are enrolled in “{course}” at {school}', 'Está inscrito em «{course}» em {school}'),
    paragraphs: [
      say('{school} has enrolled you in the course “{course}”.', '{school} inscreveu-o no curso «{course}».'),
      say('You can find it in your account:', 'Pode encontrá-lo na sua conta:'),
      account,
    ],
  },
  lesson_opened: {
    subject: say('New in “{course}” at {school}', 'Novidades em «{course}» em {school}'),
    paragraphs: [
      say('You can start: {lessons}.', 'Já pode começar: {lessons}.'),
      say(
        'You turned on these e-mails. You can turn them off, and find the course, in your account:',
        'Ativou estas mensagens. Pode desativá-las, e encontrar o curso, na sua conta:',
      ),
      account,
    ],
  },
  access_ending: {
    subject: say('Your access to “{course}” ends on {end}', 'O seu acesso a «{course}» termina em {end}'),
    paragraphs: [
      say(
        'Your access to the course “{course}” at {school} ends on {end}. Your progress is kept.',
        'O seu acesso ao curso «{course}» em {school} termina em {end}. O seu progresso é guardado.',
      ),
      say('You can find the course in your account:', 'Pode encontrar o curso na sua conta:'),
      account,
    ],
  },
  submission_graded: {
    subject: say('Your work for “{lesson}” was graded', 'O seu trabalho para «{lesson}» foi avaliado'),
    paragraphs: [
      say(
        'Your work for the lesson “{lesson}” at {school} was graded. You can see the points and the feedback with your submission.',
        'O seu trabalho para a aula «{lesson}» em {school} foi avaliado. Pode ver os pontos e os comentários junto da sua entrega.',
      ),
    ],
  },
  submission_returned: {
    subject: say('Your work for “{lesson}” was returned', 'O seu trabalho para «{lesson}» foi devolvido'),
    paragraphs: [
      say(
        'Your work for the lesson “{lesson}” at {school} was returned for revision. You can see what to improve with your submission; submit it again when you are ready.',
        'O seu trabalho para a aula «{lesson}» em {school} foi devolvido para revisão. Pode ver o que há a melhorar junto da sua entrega; entregue-o de novo quando estiver pronto.',
      ),
    ],
  },
  quiz_attempt_graded: {
    subject: say('Your answers in “{lesson}” were graded', 'As suas respostas em «{lesson}» foram avaliadas'),
    paragraphs: [
      say(
        'Your answers in the quiz “{lesson}” at {school} were graded. You can see the points and the feedback with your attempt.',
        'As suas respostas no questionário «{lesson}» em {school} foram avaliadas. Pode ver os pontos e os comentários junto da sua tentativa.',
      ),
    ],
  },
  certificate: {
    subject: say('Your certificate for “{course}”', 'O seu certificado de «{course}»'),
    paragraphs: [
      say(
        'Well done! {school} has issued your certificate for “{course}”. You can view, print and share it here:',
        'Parabéns! {school} emitiu o seu certificado de «{course}». Pode vê-lo, imprimi-lo e partilhá-lo aqui:',
      ),
      link,
      say(
        'Anyone with this address can verify the certificate. If your name on it is not correct, reply to this e-mail.',
        'Qualquer pessoa com este endereço pode verificar o certificado. Se o seu nome não estiver certo, responda a esta mensagem.',
      ),
    ],
  },
} as const satisfies Record<string, MailText>

/** The kinds of mail that identity sends. */
export type MailKind = keyof typeof mails
