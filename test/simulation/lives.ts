import { simulateChanges } from './changeLives';
import { simulateNotes } from './noteLives';
import { simulatePlans } from './planLives';
import { simulate } from './simulate';

/** Of a workspace, of what Claude changed in it, of its notes and of its plans. */
export const lives = [simulate, simulateChanges, simulateNotes, simulatePlans] as const;
