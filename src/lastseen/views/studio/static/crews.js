// The crews at the moment shown, as last reported by the server.

import { guardColour } from "./colours.js";
import { on, studio, tell } from "./studio.js";

export const NO_CREWS = { crews: [], duties: [], asks: [] };
studio.crews = NO_CREWS;
on("hello", () => take(NO_CREWS));
on("message crews", take);

function take(told) {
  studio.crews = told;
  tell("crews", told);
}

export const crewOf = (number) => studio.crews.crews.find((crew) => crew.number === number) ?? null;
export const dutyOf = (agent) => studio.crews.duties.find((duty) => duty.agent === agent) ?? null;

// Crews differ in colour and in the number on their badge.
export const crewColour = ({ seat }) => guardColour(seat);
