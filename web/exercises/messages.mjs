/** What an exercise says about itself, in words. */

/** What a click on *Solution* came to. */
export const solutionMessages = {
  ask: "You have not passed yet. Press Solution again to see it all the same.",
  shown: "The solution is shown below the exercise.",
  hidden: "The solution is hidden again.",
};
