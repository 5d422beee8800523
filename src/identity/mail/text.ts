import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

type MailText = { readonly subject: Phrase; readonly paragraphs: readonly Phrase[] }

const code = say('{code}', '{code}')
const link = say('{link}', '{link}')
const account = say('{account}', '{account}')
const lifeOfCode = say(
  'It can be used once, within 15 minutes, in the browser where you asked for it. Nobody should ever ask you for it.',
  'Pode ser usado uma vez, dentro de 15 minutos, no navegador onde o pediu. Ninguém lhe deve pedir este código.',
)
const notYou = say(
  'If you did not ask for this, you can ignore this mail: nothing has changed.',
  'Se não foi você que pediu, pode ignorar esta mensagem: nada mudou.',
)
const seeApps = say(
  'See the apps you have connected, and withdraw what you no longer want:',
  'Veja as aplicações ligadas à sua conta e retire o que já não quer:',
)
const unnamed = say('An app that calls itself “{client}”', 'Uma aplicação que se apresenta como «{client}»')

/** What the mails say, in every language; `{…}` is filled in, and a paragraph that is a code or link alone stands out. */
export const mails = {
  address_code: {
    subject: say('Your code for {school}', 'O seu código para {school}'),
    paragraphs: [
      say('Type this code on the page where you asked for it:', 'Escreva este código na página onde o pediu:'),
      code,
      lifeOfCode,
      notYou,
    ],
  },
  account_exists: {
    subject: say('You already have an account at {school}', 'Já tem uma conta em {school}'),
    paragraphs: [
      say(
        'Somebody, probably you, wanted to make an account at {school} with this address. There is one already, so no new one was made.',
        'Alguém, provavelmente você, quis criar uma conta em {school} com este endereço. Já existe uma, por isso não foi criada outra.',
      ),
      say(
        'To sign in, go back and choose “Sign in”. If you no longer know the password, choose “Forgotten your password?” on that page and set a new one.',
        'Para entrar, volte atrás e escolha «Iniciar sessão». Se já não sabe a palavra-passe, escolha «Esqueceu-se da palavra-passe?» nessa página e defina uma nova.',
      ),
      notYou,
    ],
  },
  invitation: {
    subject: say('You are invited to {school}', 'Foi convidado para {school}'),
    paragraphs: [
      say('{school} has invited you. Open this page:', '{school} convidou-o. Abra esta página:'),
      link,
      say('and type this code there:', 'e escreva lá este código:'),
      code,
      say(
        'The invitation holds for 7 days. If you did not expect it, you can ignore this mail.',
        'O convite vale durante 7 dias. Se não o esperava, pode ignorar esta mensagem.',
      ),
    ],
  },
  reset: {
    subject: say('Set a new password at {school}', 'Definir uma nova palavra-passe em {school}'),
    paragraphs: [
      say(
        'Type this code on the page where you asked for it, and choose a new password there:',
        'Escreva este código na página onde o pediu e escolha lá uma nova palavra-passe:',
      ),
      code,
      lifeOfCode,
      notYou,
    ],
  },
  password_changed: {
    subject: say('Your password at {school} was changed', 'A sua palavra-passe em {school} foi alterada'),
    paragraphs: [
      say(
        'The password of your account was changed. You were signed out everywhere else, and the apps you had connected were disconnected.',
        'A palavra-passe da sua conta foi alterada. A sua sessão terminou em todos os outros sítios e as aplicações ligadas foram desligadas.',
      ),
      seeApps,
      account,
      say(
        'If it was not you, set a new password at once and write to the school by answering this mail.',
        'Se não foi você, defina já uma nova palavra-passe e escreva à escola respondendo a esta mensagem.',
      ),
    ],
  },
  password_replaced: {
    subject: say('Your password at {school} was changed', 'A sua palavra-passe em {school} foi alterada'),
    paragraphs: [
      say(
        'The password of your account was changed. You were signed out everywhere else. The apps you have connected stay connected.',
        'A palavra-passe da sua conta foi alterada. A sua sessão terminou em todos os outros sítios. As aplicações ligadas continuam ligadas.',
      ),
      seeApps,
      account,
      say(
        'If it was not you, set a new password at once and write to the school by answering this mail.',
        'Se não foi você, defina já uma nova palavra-passe e escreva à escola respondendo a esta mensagem.',
      ),
    ],
  },
  address_taken: {
    subject: say('Your address at {school} was asked for', 'O seu endereço em {school} foi pedido'),
    paragraphs: [
      say(
        'Somebody, probably you, wanted to use this address for another account at {school}. It belongs to your account already, so nothing was changed.',
        'Alguém, provavelmente você, quis usar este endereço noutra conta em {school}. Já pertence à sua conta, por isso nada mudou.',
      ),
      notYou,
    ],
  },
  email_changed: {
    subject: say('Your e-mail address at {school} was changed', 'O seu endereço de e-mail em {school} foi alterado'),
    paragraphs: [
      say('The address of your account is now {email}.', 'O endereço da sua conta é agora {email}.'),
      say(
        'If it was not you, write to the school at once by answering this mail.',
        'Se não foi você, escreva já à escola respondendo a esta mensagem.',
      ),
      account,
    ],
  },
  export_ready: {
    subject: say('The copy of your data at {school} is ready', 'A cópia dos seus dados em {school} está pronta'),
    paragraphs: [
      say(
        'You asked for a copy of everything that {school} knows of you. It is ready in the app where you asked for it, until {until}.',
        'Pediu uma cópia de tudo o que {school} sabe de si. Está pronta na aplicação onde a pediu, até {until}.',
      ),
      say(
        'If it was not you who asked, disconnect the apps you do not know:',
        'Se não foi você que a pediu, desligue as aplicações que não conhece:',
      ),
      account,
    ],
  },
  deletion_begun: {
    subject: say('Your account at {school} will be deleted', 'A sua conta em {school} vai ser eliminada'),
    paragraphs: [
      say(
        'As you asked, your account and everything in it will be deleted for good on {due}. Until then all works as before.',
        'Como pediu, a sua conta e tudo o que tem nela serão eliminados para sempre em {due}. Até lá tudo funciona como antes.',
      ),
      say(
        'If you have changed your mind, take it back before that day in the app where you asked for it. If it was not you who asked, change your password at once and write to the school by answering this mail.',
        'Se mudou de ideias, anule o pedido antes desse dia na aplicação onde o fez. Se não foi você que pediu, altere já a palavra-passe e escreva à escola respondendo a esta mensagem.',
      ),
      account,
    ],
  },
  account_deleted: {
    subject: say('Your account at {school} is deleted', 'A sua conta em {school} foi eliminada'),
    paragraphs: [
      say(
        'As you asked, your account at {school} is now deleted, with everything that told of you. What the school must keep of purchases stays without your name. Backups made before keep it until they are deleted.',
        'Como pediu, a sua conta em {school} é agora eliminada, com tudo o que falava de si. O que a escola tem de guardar das compras fica sem o seu nome. As cópias de segurança feitas antes guardam-na até serem apagadas.',
      ),
      say('This is the last mail to you.', 'Esta é a última mensagem para si.'),
    ],
  },
  app_connected: {
    subject: say(
      'An app was connected to your account at {school}',
      'Uma aplicação foi ligada à sua conta em {school}',
    ),
    paragraphs: [
      say(
        `${unnamed.en} may use your account from now on, as you allowed for the first time today.`,
        `${unnamed.pt} pode a partir de agora usar a sua conta, como hoje permitiu pela primeira vez.`,
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
        `${unnamed.en} used an old key to your account, as a stolen copy would. Its access has ended to be safe; the app can ask you again.`,
        `${unnamed.pt} usou uma chave antiga da sua conta, como faria uma cópia roubada. Por segurança, o acesso terminou; a aplicação pode voltar a pedi-lo.`,
      ),
      seeApps,
      account,
    ],
  },
  enrolled: {
    subject: say('You are enrolled in “{course}” at {school}', 'Está inscrito em «{course}» em {school}'),
    paragraphs: [
      say('{school} has enrolled you in the course “{course}”.', '{school} inscreveu-o no curso «{course}».'),
      say('You find it in your account:', 'Encontra-o na sua conta:'),
      account,
    ],
  },
  lesson_opened: {
    subject: say('New in “{course}” at {school}', 'Novidades em «{course}» em {school}'),
    paragraphs: [
      say('Open to you now: {lessons}.', 'Disponível para si a partir de agora: {lessons}.'),
      say(
        'You asked for these mails. You can end them, and find the course, in your account:',
        'Foi você que pediu estas mensagens. Pode terminá-las, e encontrar o curso, na sua conta:',
      ),
      account,
    ],
  },
  access_ending: {
    subject: say('“{course}” is open to you until {end}', '«{course}» está disponível para si até {end}'),
    paragraphs: [
      say(
        'Your access to the course “{course}” at {school} ends on {end}. What you have completed stays yours.',
        'O seu acesso ao curso «{course}» em {school} termina em {end}. O que concluiu continua a ser seu.',
      ),
      say('You find the course in your account:', 'Encontra o curso na sua conta:'),
      account,
    ],
  },
  submission_graded: {
    subject: say('Your work for “{lesson}” was graded', 'O seu trabalho para «{lesson}» foi avaliado'),
    paragraphs: [
      say(
        'Your work for the lesson “{lesson}” at {school} was graded. The points, and what was answered to it, stand with your submission.',
        'O seu trabalho para a aula «{lesson}» em {school} foi avaliado. Os pontos e a resposta encontram-se junto da sua entrega.',
      ),
    ],
  },
  submission_returned: {
    subject: say('Your work for “{lesson}” came back', 'O seu trabalho para «{lesson}» foi devolvido'),
    paragraphs: [
      say(
        'Your work for the lesson “{lesson}” at {school} was given back to you to be done again. What is to be done better stands with your submission; hand it in again when you are ready.',
        'O seu trabalho para a aula «{lesson}» em {school} foi-lhe devolvido para o refazer. O que há a melhorar encontra-se junto da sua entrega; entregue-o de novo quando estiver pronto.',
      ),
    ],
  },
  quiz_attempt_graded: {
    subject: say('Your answers in “{lesson}” were graded', 'As suas respostas em «{lesson}» foram avaliadas'),
    paragraphs: [
      say(
        'Somebody at {school} has read and graded your answers in the quiz “{lesson}”. The points, and what was said to your answers, stand with your attempt.',
        'Alguém em {school} leu e avaliou as suas respostas no questionário «{lesson}». Os pontos, e o que foi dito sobre as suas respostas, encontram-se junto da sua tentativa.',
      ),
    ],
  },
  certificate: {
    subject: say('Your certificate for “{course}”', 'O seu certificado de «{course}»'),
    paragraphs: [
      say(
        'Well done! {school} has issued your certificate for “{course}”. Here it is, to be read, printed and shown to others:',
        'Parabéns! {school} emitiu o seu certificado de «{course}». Aqui está ele, para ler, imprimir e mostrar a outros:',
      ),
      link,
      say(
        'Whoever has this address can see that the certificate is genuine. Is your name not right on it? Answer this mail.',
        'Quem tiver este endereço pode ver que o certificado é verdadeiro. O seu nome não está certo? Responda a esta mensagem.',
      ),
    ],
  },
} as const satisfies Record<string, MailText>

/** The kinds of mail that identity sends. */
export type MailKind = keyof typeof mails
