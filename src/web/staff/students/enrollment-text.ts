import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of one enrollment, in every language; `{…}` is filled in. */
export const enrollmentText = {
  course: say('Course', 'Curso'),
  since: say('Enrolled', 'Inscrição'),
  progress: say('Progress', 'Progresso'),
  completedOn: say('completed on {day}', 'concluído a {day}'),
  lastSeen: say('Last learned', 'Aprendeu pela última vez'),
  allOfPerson: say('All courses of this person', 'Todos os cursos desta pessoa'),
  person: say('Account of this person', 'Conta desta pessoa'),
  work: say('Work and quizzes', 'Trabalhos e questionários'),
  lessons: say('Lessons ({n} of {all} completed)', 'Aulas ({n} de {all} concluídas)'),
  noLessons: say('The course has no lessons yet.', 'O curso ainda não tem aulas.'),
  optional: say('optional', 'facultativa'),
  open: say('available', 'disponível'),
  opens: say('available on {day}', 'disponível a {day}'),
  locked: say('not available yet', 'ainda não disponível'),
  noAccess: say('no access now', 'sem acesso agora'),
  done_by: {
    self: say('completed on {day}', 'concluída a {day}'),
    staff: say('completed on {day}, by the school', 'concluída a {day}, pela escola'),
    quiz: say('completed on {day}, by the quiz', 'concluída a {day}, pelo questionário'),
    assignment: say('completed on {day}, by the assignment', 'concluída a {day}, pelo trabalho'),
  },
  lessonActs: {
    complete: say('Mark as completed', 'Marcar como concluída'),
    undo: say('Undo', 'Anular'),
  },
  certificates: say('Certificate', 'Certificado'),
  certificateStates: {
    valid: say('valid', 'válido'),
    revoked: say('revoked', 'revogado'),
    replaced: say('replaced', 'substituído'),
    withdrawn: say('withdrawn', 'retirado'),
  },
  award: say('Issue a certificate', 'Emitir um certificado'),
  awardAbout: say(
    'Completing the course issues one automatically. The person gets its link by e-mail.',
    'Concluir o curso emite um automaticamente. A pessoa recebe a ligação por correio eletrónico.',
  ),
  revoke: say('Revoke the certificate', 'Revogar o certificado'),
  restore: say('Restore the certificate', 'Repor o certificado'),
  certificateReason: say('Reason (optional; the person can read it)', 'Motivo (opcional; a pessoa pode lê-lo)'),
  access: say('Access: {state}', 'Acesso: {state}'),
  from: say('from {day}', 'desde {day}'),
  fromUntil: say('from {from} until {until}', 'de {from} a {until}'),
  which: say('Which access', 'Que acesso'),
  lastDay: say('Last day', 'Último dia'),
  noEnd: say('Leave it empty for access without an end.', 'Deixe em branco para acesso sem fim.'),
  untilLifted: say('Leave it empty to hold it until you lift it.', 'Deixe em branco para suspender até o levantar.'),
  note: say('Note for the staff (optional)', 'Nota para a equipa (opcional)'),
  notify: say('Tell the person by e-mail', 'Avisar a pessoa por correio eletrónico'),
  acts: {
    move_end: {
      title: say('Change when access ends', 'Mudar o fim do acesso'),
      about: say(
        'Extends or shortens the access that the school gave.',
        'Prolonga ou encurta o acesso que a escola deu.',
      ),
      button: say('Save the last day', 'Guardar o último dia'),
    },
    give: {
      title: say('Give access again', 'Dar acesso de novo'),
      about: say('The person goes on where they were.', 'A pessoa continua onde estava.'),
      button: say('Give access', 'Dar acesso'),
    },
    hold: {
      title: say('Hold access', 'Suspender o acesso'),
      about: say(
        'Pauses access to this course. Nothing is revoked, and no mail is sent.',
        'Suspende o acesso a este curso. Nada é revogado e nada é enviado.',
      ),
      button: say('Hold access', 'Suspender o acesso'),
    },
    lift: {
      title: say('Lift the hold', 'Levantar a suspensão'),
      about: say('Access continues as it would have been.', 'O acesso continua como teria sido.'),
      button: say('Lift the hold', 'Levantar a suspensão'),
    },
    end: {
      title: say('End access', 'Terminar o acesso'),
      about: say(
        'Ends the access that the school gave, at once. What was bought or comes with a group stays, and so does the progress.',
        'Termina já o acesso que a escola deu. O que foi comprado ou vem de um grupo mantém-se, tal como o progresso.',
      ),
      button: say('End access', 'Terminar o acesso'),
    },
  },
  done: {
    end: say('The access that the school gave has ended.', 'O acesso que a escola deu terminou.'),
    move_end: say('The last day was changed.', 'O último dia foi mudado.'),
    give: say('The person has access again.', 'A pessoa tem acesso de novo.'),
    hold: say('Access is on hold.', 'O acesso está suspenso.'),
    lift: say('The hold was lifted.', 'A suspensão foi levantada.'),
    complete: say('The lesson is marked as completed.', 'A aula está marcada como concluída.'),
    undo: say('The lesson is no longer completed.', 'A aula deixou de estar concluída.'),
    award: say('The certificate was issued.', 'O certificado foi emitido.'),
    revoke_certificate: say('The certificate was revoked.', 'O certificado foi revogado.'),
    restore_certificate: say('The certificate is valid again.', 'O certificado volta a ser válido.'),
  },
} as const
