extension BisectStory.Facts {
    /// The answer as a finding.
    ///
    /// - Parameter question: what bad is.
    func finding(of question: String, isConclusive: Bool) -> Finding {
        let isBad = firstBad != nil || badAtStart == true || badAtEnd == true
        let story = BisectStory(self, style: .plain, width: nil)
        var finding = Finding(
            tone: isBad ? .bad : isConclusive ? .good : .unknown,
            title: story.title, question: question)
        finding.record = firstBad
        finding.position = firstBad?.seq ?? (badAtStart == true ? from : nil)
        finding.last = badAtEnd == true ? to : nil
        finding.cause = cause
        finding.firings = firings
        finding.sentences = story.sentences
        finding.commands = story.commands
        return finding
    }
}
